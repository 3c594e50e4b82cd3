import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { Problems } from "../problems.ts";

export const problems = compileMessages<Problems>({
  "problem.unauthenticated": "Deine Sitzung ist beendet. Melde dich wieder an.",
  "problem.invalid_credentials": "Benutzername oder Passwort stimmen nicht.",
  "problem.invalid_code": "Dieser Code stimmt nicht. Prüfe ihn und versuch es noch einmal.",
  "problem.code_used": "Dieser Code wurde schon benutzt. Warte auf den nächsten.",
  "problem.invalid_passkey":
    "Dieser Passkey öffnet hier kein Konto. Nimm einen anderen oder melde dich anders an.",
  "problem.challenge_expired": "Das hat zu lange gedauert. Melde dich noch einmal an.",
  "problem.second_factor_required":
    "Hier ist ein zweiter Faktor Pflicht. Schalte einen ein, dann geht es weiter.",
  "problem.proof_needed": "Bestätige zuerst, dass du es bist.",
  "problem.passwords_off": "Hier melden sich alle über einen Anbieter an.",
  "problem.not_invited":
    "Für dich gibt es hier kein Konto. Bitte die Administration um eine Einladung.",
  "problem.account_exists":
    "Du hast hier schon ein Konto. Melde dich einmal damit an, um es zu verbinden.",
  "problem.last_factor":
    "Hier ist ein zweiter Faktor Pflicht. Füge einen anderen hinzu, bevor du diesen entfernst.",
  "problem.second_factor_off": "Richte zuerst eine Authenticator-App oder einen Passkey ein.",
  "problem.last_way_in":
    "Ohne das könntest du dich nicht mehr anmelden. Lege zuerst ein Passwort fest.",
  "problem.no_emergency_account":
    "Zuerst braucht es ein Notfallkonto: ein Administratorkonto mit Passwort und zweitem Faktor.",
  "problem.too_many_passkeys":
    "Du kannst keine weiteren Passkeys hinzufügen. Entferne zuerst einen.",
  "problem.passkey_known": "Diesen Passkey hast du schon hinzugefügt.",
  "problem.slug_taken": "Dieses Kürzel hat schon ein anderer Anbieter. Wähle ein anderes.",
  "problem.provider_from_environment": "Das legt die Umgebung des Servers fest. Ändere es dort.",
  "problem.provider_failed":
    "Der Anbieter hat nicht geantwortet, wie er sollte. Versuch es noch einmal.",
  "problem.forbidden": "Das ist nicht erlaubt.",
  "problem.not_site_admin": "Das darf nur die Administration.",
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
  "problem.room_archived": "Dieser Raum ist archiviert: Du kannst ihn lesen, aber nichts ändern.",
  "problem.was_conversation":
    "Dieser Raum war eine Unterhaltung: Er bleibt privat, lässt sich nicht löschen und gehört einem Mitglied.",
  "problem.conversation_closed":
    "Diese Unterhaltung ist geschlossen: Niemand sonst hat ein aktives Konto. Du kannst sie weiter lesen.",
  "problem.not_for_direct": "Das geht nur in Unterhaltungen zu dritt oder mehr.",
  "problem.too_many":
    "Eine Unterhaltung hat höchstens neun Personen. Erstelle für mehr einen Raum.",
  "problem.user_not_found": "Diese Person gibt es nicht, oder du kannst ihr nicht schreiben.",
  "problem.already_a_member": "Diese Person ist schon im Raum.",
  "problem.idempotency_key_used": "Dieser Schlüssel wurde schon für etwas anderes verwendet.",
  "problem.client_id_used": "Diese Nachricht wurde schon anderswo gesendet. Schreib sie neu.",
  "problem.owner_cannot_leave": "Übergib den Raum an jemand anderen, bevor du gehst.",
  "problem.smtp_not_configured": "Richte zuerst den Mailversand ein.",
  "problem.already_invited": "Diese Adresse ist schon eingeladen. Sende die Einladung noch einmal.",
  "problem.too_many_invite_links": "Es sind schon zu viele Links offen. Widerrufe zuerst einen.",
  "problem.invite_closed": "Diese Einladung wurde benutzt oder widerrufen.",
  "problem.too_many_themes": "Mehr Farbschemas kannst du nicht speichern. Lösche zuerst eines.",
  "problem.too_many_webhooks": "Mehr Webhooks kann dieser Raum nicht haben. Lösche zuerst einen.",
  "problem.webhook_paused": "Dieser Webhook ist angehalten. Setze ihn zuerst fort.",
  "problem.owner_role_fixed": "Diese Rolle ändert sich nur, wenn der Raum übergeben wird.",
  "problem.scheduled_not_found": "Diese geplante Nachricht gibt es nicht mehr.",
  "problem.too_many_pins":
    "In einem Raum können 100 Nachrichten angeheftet sein. Löse zuerst eine los, die niemand mehr braucht.",
  "problem.too_many_saved": "Unter „Später“ haben 2.000 Nachrichten Platz. Hake zuerst einige ab.",
  "problem.too_many_scheduled":
    "Du kannst höchstens 100 Nachrichten planen. Lösche zuerst eine oder sende sie gleich.",
  "problem.too_many_drafts": "500 Entwürfe haben Platz. Leere zuerst einige.",
  "problem.draft_changed": "Diesen Entwurf hast du auf einem anderen Gerät geändert.",
  "problem.sections_changed": "Die Abschnitte wurden inzwischen geändert.",
  "problem.already_sent": "Diese Nachricht ist schon gesendet.",
  "problem.too_late": "Diese Nachricht war vor mehr als 12 Stunden fällig. Plane sie neu.",
  "problem.session_ended":
    "Die Sitzung, die das geplant hat, wurde beendet. Sende es selbst oder plane es neu.",
  "problem.deactivated": "Dein Konto war deaktiviert. Plane die Nachricht neu.",
  "problem.too_many_reactions": "Mehr verschiedene Reaktionen gehen nicht an diese Nachricht.",
  "problem.self_lockout": "Mit dem eigenen Konto geht das nicht.",
  "problem.bot_account": "Bots haben kein Passwort und verwalten nichts.",
  "problem.last_admin": "Jemand muss in der Administration bleiben.",
  "problem.link_expired": "Dieser Link ist abgelaufen. Bitte um einen neuen.",
  "problem.token_expired": "Dieser Link ist abgelaufen. Fordere einen neuen an.",
  "problem.too_large": "Das ist größer, als es hier sein darf.",
  "problem.not_an_image": "Das ist kein Bild, das sich lesen lässt.",
  "problem.image_too_big":
    "Dieses Bild hat zu viele Pixel oder Einzelbilder. Mach es kleiner oder kürzer.",
  "problem.validation": "Eine Angabe passt nicht: {detail}",
  "problem.bad_request": "Die Anfrage war nicht zu verstehen. Lade die Seite neu.",
  "problem.empty_message": "Die Nachricht ist leer.",
  "problem.broadcast_restricted":
    "In Räumen mit mehr als 50 Mitgliedern dürfen nur Besitzer und Admins @room und @here verwenden.",
  "problem.unknown_upload": "Der Anhang ist nicht mehr da. Hänge ihn noch einmal an.",
  "problem.unknown_thread": "Diesen Thread gibt es hier nicht mehr: Die Nachricht wurde gelöscht.",
  "problem.threads_off": "Hier beginnen keine Threads. Zitiere die Nachricht stattdessen.",
  "problem.unknown_quote": "Die zitierte Nachricht gibt es nicht mehr. Schick deine ohne Zitat.",
  "problem.no_thread": "Auf diese Nachricht hat noch niemand geantwortet.",
  "problem.message_deleted": "Die Nachricht wurde gelöscht, daran lässt sich nichts ändern.",
  "problem.target_not_allowed": "Diese Adresse darf von hier nicht aufgerufen werden.",
  "problem.unknown_user": "Diese Person gibt es nicht, oder das Konto ist deaktiviert.",
  "problem.empty_query": "Schreib ein Wort, nach dem gesucht wird, oder einen Filter wie from:ada.",
  "problem.query_too_wide":
    "Sag auch, was die Nachrichten enthalten, nicht nur, was sie nicht enthalten.",
  "problem.query_too_long": "Eine Suche kann höchstens 200 Zeichen haben.",
  "problem.too_many_parts": "Eine Suche kann höchstens 12 Wörter und Filter haben.",
  "problem.search_busy": "Gerade wird zu viel gesucht. Versuche es gleich noch einmal.",
  "problem.rate_limited": "Zu viele Versuche. Warte kurz und versuche es noch einmal.",
  "problem.internal": "Bei uns ist etwas schiefgegangen. Versuche es gleich noch einmal.",
  "problem.delivery_failed": "Die Mail ging nicht hinaus. Der Server sagt: {detail}",
  "problem.push_off":
    "Benachrichtigungen sind hier ausgeschaltet. Wer den Server betreibt, kann das ändern.",
  "problem.too_many_uploads":
    "Zu viele hochgeladene Dateien, die keine Nachricht verwendet. Sende sie, oder warte einen Tag.",
  "problem.storage_full": "Auf dem Server ist kein Platz mehr für Dateien.",
  "problem.unavailable": "Das geht gerade nicht. Versuche es gleich noch einmal.",

  "field.username": "1 bis 32 Buchstaben, Ziffern, Punkte, Striche oder Unterstriche.",
  "field.email": "Das ist keine E-Mail-Adresse.",
  "field.to": "Das ist keine E-Mail-Adresse.",
  "field.password": "Das Passwort ist zu kurz, zu lang oder zu leicht zu erraten.",
  "field.new_password": "Das Passwort ist zu kurz, zu lang oder zu leicht zu erraten.",
  "field.current_password": "Das ist nicht dein aktuelles Passwort.",
  "field.display_name": "Dieser Anzeigename ist zu lang oder nicht in einer Zeile.",
  "field.name": "Dieser Name ist leer, zu lang oder hat Zeichen, die hier nicht gehen.",
  "field.description": "Diese Beschreibung ist zu lang.",
  "field.url": "Gib eine Adresse an, die mit https:// oder http:// beginnt.",
  "field.host": "Gib den Namen oder die Adresse eines Mailservers an.",
  "field.port": "Gib eine Zahl von 1 bis 65535 an.",
  "field.from": "Gib eine Adresse an, oder einen Namen mit Adresse.",
  "field.secret": "Gib höchstens 500 Zeichen an.",
  "field.room_ids":
    "Einen dieser Räume gibt es nicht, oder er ist archiviert oder war eine Unterhaltung.",
  "field.max_bytes": "Diese Größe ist nicht erlaubt.",
  "field.expires_at": "Diese Zeit liegt nicht in der Zukunft.",
  "field.scopes": "Diese Auswahl geht nicht.",
});
