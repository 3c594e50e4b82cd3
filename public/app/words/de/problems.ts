import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { Problems } from "../problems.ts";

export const problems = compileMessages<Problems>({
  "problem.user_mismatch": "In diesem Browser ist jetzt ein anderes Konto angemeldet.",
  "problem.unauthenticated": "Deine Sitzung ist beendet. Melde dich wieder an.",
  "problem.invalid_credentials": "Benutzername oder Passwort ist falsch.",
  "problem.invalid_code": "Dieser Code stimmt nicht. Prüfe ihn und versuche es noch einmal.",
  "problem.code_used": "Dieser Code wurde schon benutzt. Warte auf den nächsten.",
  "problem.invalid_passkey":
    "Zu diesem Passkey gibt es hier kein Konto. Verwende einen anderen oder melde dich anders an.",
  "problem.challenge_expired": "Das hat zu lange gedauert. Melde dich noch einmal an.",
  "problem.second_factor_required":
    "Hier ist ein zweiter Faktor Pflicht. Schalte einen ein, dann geht es weiter.",
  "problem.proof_needed": "Bestätige zuerst, dass du es bist.",
  "problem.passwords_off": "Hier melden sich alle über einen Anbieter an.",
  "problem.not_invited":
    "Für dich gibt es hier kein Konto. Bitte einen Administrator um eine Einladung.",
  "problem.account_exists":
    "Du hast hier schon ein Konto. Melde dich einmal damit an, um es zu verbinden.",
  "problem.last_factor":
    "Hier ist ein zweiter Faktor Pflicht. Füge einen anderen hinzu, bevor du diesen entfernst.",
  "problem.second_factor_off": "Richte zuerst eine Authenticator-App oder einen Passkey ein.",
  "problem.last_way_in":
    "Sonst könntest du dich nicht mehr anmelden. Lege zuerst ein Passwort fest.",
  "problem.no_emergency_account":
    "Richte zuerst ein Notfallkonto ein: ein Administratorkonto mit Passwort und zweitem Faktor.",
  "problem.too_many_passkeys":
    "Du kannst keine weiteren Passkeys hinzufügen. Entferne zuerst einen.",
  "problem.passkey_known": "Diesen Passkey hast du schon hinzugefügt.",
  "problem.slug_taken": "Diesen Kurznamen hat schon ein anderer Anbieter. Wähle einen anderen.",
  "problem.provider_from_environment":
    "Das ist durch die Umgebungsvariablen des Servers festgelegt. Ändere es dort.",
  "problem.provider_failed":
    "Der Anbieter ist nicht erreichbar oder antwortet nicht wie erwartet. Versuche es noch einmal.",
  "problem.forbidden": "Das ist nicht erlaubt.",
  "problem.not_site_admin": "Das dürfen nur Administratoren.",
  "problem.not_for_bots": "Mit einem Bot geht das nicht.",
  "problem.not_a_member": "Du bist nicht in diesem Raum. Tritt ihm zuerst bei.",
  "problem.role_required": "Deine Rolle in diesem Raum erlaubt das nicht.",
  "problem.not_author": "Eine Nachricht kann nur bearbeiten, wer sie geschrieben hat.",
  "problem.not_found": "Das gibt es nicht oder nicht mehr.",
  "problem.room_not_found": "Diesen Raum gibt es nicht, oder du bist nicht darin.",
  "problem.message_not_found": "Diese Nachricht gibt es nicht mehr.",
  "problem.member_not_found": "Diese Person ist nicht im Raum.",
  "problem.webhook_not_found": "Diesen Webhook gibt es nicht mehr.",
  "problem.delivery_not_found": "Diese Zustellung gibt es nicht mehr.",
  "problem.link_not_found": "Dieser Link ist unbekannt oder wurde schon benutzt.",
  "problem.username_taken": "Dieser Benutzername ist vergeben. Wähle einen anderen.",
  "problem.email_taken": "Zu dieser E-Mail-Adresse gibt es hier schon ein Konto.",
  "problem.room_name_taken":
    "Einen Raum mit diesem Namen gibt es schon. Wähle einen anderen Namen.",
  "problem.room_archived":
    "Dieser Raum ist archiviert: Du kannst ihn lesen, aber nichts daran ändern.",
  "problem.was_conversation":
    "Dieser Raum war eine Unterhaltung: Er bleibt privat, lässt sich nicht löschen und gehört einem Mitglied.",
  "problem.conversation_closed":
    "Diese Unterhaltung ist geschlossen: Niemand sonst hat ein aktives Konto. Du kannst sie weiter lesen.",
  "problem.not_for_direct": "Das geht nur in Unterhaltungen zu dritt oder mehr.",
  "problem.too_many":
    "An einer Unterhaltung können höchstens neun Personen teilnehmen. Erstelle für mehr einen Raum.",
  "problem.user_not_found": "Diese Person gibt es nicht, oder du kannst ihr nicht schreiben.",
  "problem.already_a_member": "Diese Person ist schon im Raum.",
  "problem.idempotency_key_used": "Dieser Schlüssel wurde schon für etwas anderes verwendet.",
  "problem.client_id_used": "Diese Nachricht wurde schon anderswo gesendet. Schreib sie neu.",
  "problem.owner_cannot_leave": "Übertrage den Raum an jemand anderen, bevor du ihn verlässt.",
  "problem.smtp_not_configured": "Richte zuerst den E-Mail-Versand ein.",
  "problem.already_invited": "Diese Adresse ist schon eingeladen. Sende die Einladung erneut.",
  "problem.too_many_invite_links": "Es sind schon zu viele Links offen. Widerrufe zuerst einen.",
  "problem.invite_closed": "Diese Einladung wurde benutzt oder widerrufen.",
  "problem.too_many_themes": "Mehr Farbschemas kannst du nicht speichern. Lösche zuerst eines.",
  "problem.too_many_webhooks": "Mehr Webhooks kann dieser Raum nicht haben. Lösche zuerst einen.",
  "problem.webhook_paused": "Dieser Webhook ist pausiert. Setze ihn zuerst fort.",
  "problem.owner_role_fixed": "Diese Rolle ändert sich nur, wenn der Raum übertragen wird.",
  "problem.scheduled_not_found": "Diese geplante Nachricht gibt es nicht mehr.",
  "problem.too_many_pins":
    "In einem Raum können höchstens 100 Nachrichten angeheftet sein. Löse zuerst eine los, die niemand mehr braucht.",
  "problem.too_many_saved":
    "Du kannst dir höchstens 2.000 Nachrichten merken. Markiere zuerst einige als erledigt.",
  "problem.too_many_scheduled":
    "Du kannst höchstens 100 Nachrichten planen. Lösche zuerst eine oder sende sie gleich.",
  "problem.too_many_drafts": "Du kannst höchstens 500 Entwürfe haben. Lösche zuerst einige.",
  "problem.draft_changed": "Diesen Entwurf hast du auf einem anderen Gerät geändert.",
  "problem.sections_changed": "Die Abschnitte wurden inzwischen geändert.",
  "problem.already_sent": "Diese Nachricht wurde schon gesendet.",
  "problem.too_late": "Diese Nachricht war vor mehr als 12 Stunden fällig. Plane sie neu.",
  "problem.session_ended":
    "Die Sitzung, in der du das geplant hast, wurde beendet. Sende die Nachricht selbst oder plane sie neu.",
  "problem.deactivated": "Dein Konto war deaktiviert. Plane die Nachricht neu.",
  "problem.too_many_reactions":
    "Diese Nachricht kann nicht noch mehr verschiedene Reaktionen bekommen.",
  "problem.self_lockout": "Mit dem eigenen Konto geht das nicht.",
  "problem.bot_account": "Bots haben kein Passwort und können keine Administratoren sein.",
  "problem.last_admin": "Mindestens ein Administrator muss bleiben.",
  "problem.link_expired": "Dieser Link ist abgelaufen. Bitte um einen neuen.",
  "problem.token_expired": "Dieser Link ist abgelaufen. Fordere einen neuen an.",
  "problem.too_large": "Das ist zu groß.",
  "problem.not_an_image": "Das ist kein Bild, das Snug lesen kann.",
  "problem.image_too_big":
    "Dieses Bild hat zu viele Pixel oder Einzelbilder. Mach es kleiner oder kürzer.",
  "problem.validation": "Eine Angabe ist ungültig: {detail}",
  "problem.bad_request": "Die Anfrage konnte nicht verarbeitet werden. Lade die Seite neu.",
  "problem.empty_message": "Die Nachricht ist leer.",
  "problem.broadcast_restricted":
    "In Räumen mit mehr als 50 Mitgliedern dürfen nur Besitzer und Admins @room und @here verwenden.",
  "problem.unknown_upload": "Der Anhang ist nicht mehr da. Hänge ihn noch einmal an.",
  "problem.unknown_thread": "Diesen Thread gibt es hier nicht mehr: Die Nachricht wurde gelöscht.",
  "problem.threads_off":
    "Hier lassen sich keine Threads beginnen. Zitiere stattdessen die Nachricht.",
  "problem.unknown_quote": "Die zitierte Nachricht gibt es nicht mehr. Schick deine ohne Zitat.",
  "problem.no_thread": "Auf diese Nachricht hat noch niemand geantwortet.",
  "problem.message_deleted": "Die Nachricht wurde gelöscht und lässt sich nicht mehr ändern.",
  "problem.target_not_allowed": "Diese Adresse ist nicht erlaubt.",
  "problem.unknown_user": "Diese Person gibt es nicht, oder das Konto ist deaktiviert.",
  "problem.empty_query": "Gib ein Suchwort ein oder einen Filter wie from:ada.",
  "problem.query_too_wide":
    "Gib auch an, was die Nachrichten enthalten sollen, nicht nur, was nicht.",
  "problem.query_too_long": "Eine Suche kann höchstens 200 Zeichen haben.",
  "problem.too_many_parts": "Eine Suche kann höchstens 12 Wörter und Filter haben.",
  "problem.search_busy": "Gerade laufen zu viele Suchen. Versuche es gleich noch einmal.",
  "problem.rate_limited": "Zu viele Versuche. Warte kurz und versuche es noch einmal.",
  "problem.internal": "Auf dem Server ist etwas schiefgegangen. Versuche es gleich noch einmal.",
  "problem.delivery_failed": "Die E-Mail konnte nicht gesendet werden. Der Server meldet: {detail}",
  "problem.push_off":
    "Benachrichtigungen sind hier ausgeschaltet. Wer den Server betreibt, kann das ändern.",
  "problem.too_many_uploads":
    "Du hast zu viele Dateien hochgeladen, ohne sie zu senden. Sende sie oder warte einen Tag.",
  "problem.storage_full": "Auf dem Server ist kein Platz mehr für Dateien.",
  "problem.unavailable": "Das geht gerade nicht. Versuche es gleich noch einmal.",

  "field.username": "1 bis 32 Buchstaben, Ziffern, Punkte, Bindestriche oder Unterstriche.",
  "field.email": "Das ist keine E-Mail-Adresse.",
  "field.to": "Das ist keine E-Mail-Adresse.",
  "field.password": "Das Passwort ist zu kurz, zu lang oder zu leicht zu erraten.",
  "field.new_password": "Das Passwort ist zu kurz, zu lang oder zu leicht zu erraten.",
  "field.current_password": "Das ist nicht dein aktuelles Passwort.",
  "field.display_name": "Dieser Anzeigename ist zu lang oder hat mehr als eine Zeile.",
  "field.name": "Dieser Name ist leer, zu lang oder enthält Zeichen, die hier nicht erlaubt sind.",
  "field.description": "Diese Beschreibung ist zu lang.",
  "field.url": "Gib eine Adresse ein, die mit https:// oder http:// beginnt.",
  "field.host": "Gib den Namen oder die Adresse eines Mailservers ein.",
  "field.port": "Gib eine Zahl von 1 bis 65535 ein.",
  "field.from": "Gib eine Adresse oder einen Namen mit Adresse ein.",
  "field.secret": "Gib höchstens 500 Zeichen ein.",
  "field.room_ids":
    "Einen dieser Räume gibt es nicht, oder er ist archiviert oder war eine Unterhaltung.",
  "field.max_bytes": "Diese Größe ist nicht erlaubt.",
  "field.expires_at": "Dieser Zeitpunkt liegt nicht in der Zukunft.",
  "field.scopes": "Diese Auswahl ist nicht möglich.",
});
