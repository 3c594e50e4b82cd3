import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { webhooks as english } from "../en/webhooks.ts";

export const webhooks = compileMessages<Record<keyof typeof english, string>>({
  "webhooks.outgoing": "Ausgehende Webhooks",
  "webhooks.add": "Webhook hinzufügen",
  "webhooks.none": "Sende die Ereignisse dieses Raums an ein anderes Programm.",
  "webhooks.name-hint": "Damit du ihn wiedererkennst.",
  "webhooks.url": "URL",
  "webhooks.url-hint":
    "Jedes Ereignis wird als signierte POST-Anfrage mit JSON dorthin gesendet (Standard Webhooks).",
  "webhooks.events": "Ereignisse",
  "webhooks.choose-one": "Wähle mindestens eines.",
  "webhooks.secret": "Geheimnis",
  "webhooks.secret-title": "Signaturgeheimnis",
  "webhooks.secret-text":
    "Damit prüft der Empfänger, dass Anfragen von hier kommen. Kopiere es jetzt: Es wird nicht noch einmal gezeigt.",
  "webhooks.new-secret": "Neues Signaturgeheimnis",
  "webhooks.new-secret-text":
    "Kopiere es jetzt: Es wird nicht noch einmal gezeigt. Das alte signiert noch einen Tag lang mit, damit du den Empfänger umstellen kannst.",
  "webhooks.test": "Test senden",
  "webhooks.pause": "Anhalten",
  "webhooks.resume": "Fortsetzen",
  "webhooks.resumed": "Webhook fortgesetzt. Neue Ereignisse werden wieder gesendet.",
  "webhooks.paused": "Webhook angehalten. Nichts wird gesendet, bis du ihn fortsetzt.",
  "webhooks.rotate": "Neues Geheimnis",
  "webhooks.rotate-title": "Neues Geheimnis erzeugen?",
  "webhooks.rotate-text":
    "Das alte signiert noch einen Tag lang neben dem neuen. Stelle den Empfänger bis dahin um.",
  "webhooks.rotate-action": "Neues Geheimnis erzeugen",
  "webhooks.edit-title": "Webhook bearbeiten",
  "webhooks.delete-title": "{name} löschen?",
  "webhooks.delete-text":
    "Es wird nichts mehr gesendet, und die bisherigen Zustellungen werden gelöscht. Das lässt sich nicht rückgängig machen.",
  "webhooks.delete": "Webhook löschen",
  "webhooks.both-until": "Bis {when} signiert auch das alte Geheimnis.",

  "event.message.created": "Neue Nachrichten",
  "event.message.updated": "Bearbeitete Nachrichten",
  "event.message.deleted": "Gelöschte Nachrichten",
  "event.reaction.changed": "Reaktionen",
  "event.member.added": "Neue Mitglieder",
  "event.member.removed": "Mitglieder, die gehen",
  "event.room.updated": "Änderungen am Raum",

  "status.off": "Abgeschaltet. {reason}",
  "status.paused": "Angehalten",
  "status.nothing": "Noch nichts gesendet",
  "status.delivered-at": "Zugestellt: {when}",
  "status.failing": "Scheitert seit: {when}. {error}",
  "status.last-failed": "Der letzte Versuch ist gescheitert. {error}",
  "status.delivered": "Zugestellt, {status}",
  "status.failed": "Gescheitert",
  "status.failed-with": "Gescheitert, {status}",
  "status.queued": "Wartet auf den Versand",
  "status.retry": "Wartet auf einen neuen Versuch",
  "status.retry-with": "Wartet auf einen neuen Versuch, {status}",

  "deliveries.title": "Zustellungen der letzten 30 Tage",
  "deliveries.none": "Noch wurde nichts gesendet. Sende einen Test.",
  "deliveries.older": "Ältere zeigen",
  "deliveries.sent": "Gesendet",
  "deliveries.response": "Anfang der Antwort",
  "deliveries.resend": "Erneut senden",
  "deliveries.attempts":
    "{count, plural, one {# Versuch} other {# Versuche}}, zuletzt: {when}, in {ms} ms.",
  "deliveries.no-attempts": "Noch kein Versuch.",
  "deliveries.next": "Nächster Versuch: {when}.",
  "deliveries.once-resumed": "Es wird wieder versucht, sobald der Webhook fortgesetzt ist.",

  "incoming.title": "Eingehende Webhooks",
  "incoming.add": "URL erzeugen",
  "incoming.none":
    "Lass ein anderes Programm hier schreiben: Alarme, Builds, alles, was das Webhook-Format von Slack oder GitHub verwendet.",
  "incoming.by": "Von {name}",
  "incoming.posts-as": "schreibt als {name}",
  "incoming.used": "zuletzt benutzt: {when}",
  "incoming.not-used": "noch nicht benutzt",
  "incoming.delete-one": "Löschen <hidden>{name}</hidden>",
  "incoming.delete-text":
    "Die URL funktioniert sofort nicht mehr. Nachrichten, die darüber kamen, bleiben.",
  "incoming.deleted": "Die URL von {name} wurde gelöscht",
  "incoming.new": "Neuer eingehender Webhook",
  "incoming.name-hint": "Unter diesem Namen erscheinen die Nachrichten, als Bot gekennzeichnet.",
  "incoming.secret": "GitHub-Geheimnis",
  "incoming.secret-hint":
    "Nur für die Webhooks von GitHub selbst: dasselbe Geheimnis wie dort. Sonst leer lassen.",
  "incoming.create": "URL erzeugen",
  "incoming.url-of": "URL von {name}",
  "incoming.keep":
    "Wer sie hat, kann hier schreiben. Behandle sie wie ein Passwort: Sie wird nicht noch einmal gezeigt.",
  "incoming.try": "Ausprobieren",
  "incoming.sample": "Hallo von *curl*",
  "incoming.may-pin": "Darf anheften, was er postet",
  "incoming.may-pin-hint": 'Mit "pin": true in dem, was er sendet.',
});
