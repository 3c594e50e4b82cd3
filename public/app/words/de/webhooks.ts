import { compileMessages } from "../compile.ts" with { type: "macro" };
import type { webhooks as english } from "../en/webhooks.ts";

export const webhooks = compileMessages<Record<keyof typeof english, string>>({
  "webhooks.outgoing": "Ausgehende Webhooks",
  "webhooks.add": "Webhook hinzufügen",
  "webhooks.add-title": "Webhook hinzufügen",
  "webhooks.none": "Melde einem anderen Programm, was in diesem Raum geschieht.",
  "webhooks.name-hint": "Damit du ihn wiedererkennst.",
  "webhooks.address": "Adresse",
  "webhooks.address-hint":
    "Jedes Ereignis wird dorthin mit POST gesendet, als JSON, signiert (Standard Webhooks).",
  "webhooks.told": "Was gemeldet wird",
  "webhooks.choose-one": "Wähle mindestens eines.",
  "webhooks.secret": "Geheimnis",
  "webhooks.its-secret": "Sein Geheimnis",
  "webhooks.secret-text":
    "Damit prüft der Empfänger, dass von hier kommt, was ankommt. Es wird nur jetzt gezeigt: Kopiere es.",
  "webhooks.new-secret": "Sein neues Geheimnis",
  "webhooks.new-secret-text":
    "Es wird nur jetzt gezeigt: Kopiere es. Einen Tag lang signiert auch das vorige, damit du den Empfänger in Ruhe umstellen kannst.",
  "webhooks.test": "Test senden",
  "webhooks.pause": "Anhalten",
  "webhooks.resume": "Fortsetzen",
  "webhooks.resumed": "Ab jetzt wird gesendet, was geschieht.",
  "webhooks.paused": "Es wird nichts gesendet, bis du ihn fortsetzt.",
  "webhooks.rotate": "Neues Geheimnis",
  "webhooks.rotate-title": "Neues Geheimnis erzeugen?",
  "webhooks.rotate-text":
    "Das vorige signiert noch einen Tag lang neben dem neuen. Stelle den Empfänger bis dahin um.",
  "webhooks.rotate-action": "Neues Geheimnis erzeugen",
  "webhooks.edit-title": "Webhook bearbeiten",
  "webhooks.delete-title": "{name} löschen?",
  "webhooks.delete-text":
    "Es wird nichts mehr gesendet, und was über frühere Zustellungen bekannt ist, wird gelöscht. Das lässt sich nicht rückgängig machen.",
  "webhooks.delete": "Webhook löschen",
  "webhooks.both-until": "Auch das vorige Geheimnis signiert bis {when}.",

  "event.message.created": "Neue Nachrichten",
  "event.message.updated": "Bearbeitete Nachrichten",
  "event.message.deleted": "Gelöschte Nachrichten",
  "event.reaction.changed": "Reaktionen",
  "event.member.added": "Personen, die kommen",
  "event.member.removed": "Personen, die gehen",
  "event.room.updated": "Änderungen am Raum",

  "standing.off": "Abgeschaltet. {reason}",
  "standing.paused": "Angehalten",
  "standing.nothing": "Noch nichts gesendet",
  "standing.delivered-at": "Zugestellt: {when}",
  "standing.failing": "Scheitert seit: {when}. {error}",
  "standing.last-failed": "Der letzte Versuch ist gescheitert. {error}",
  "standing.delivered": "Zugestellt, {status}",
  "standing.failed": "Gescheitert",
  "standing.failed-with": "Gescheitert, {status}",
  "standing.waits": "Wartet auf den Versand",
  "standing.retries": "Wartet auf einen neuen Versuch",
  "standing.retries-with": "Wartet auf einen neuen Versuch, {status}",

  "deliveries.title": "Zustellungen der letzten 30 Tage",
  "deliveries.none": "Noch wurde nichts gesendet. Sende einen Test.",
  "deliveries.older": "Ältere zeigen",
  "deliveries.sent": "Gesendet",
  "deliveries.answer": "Anfang der Antwort",
  "deliveries.again": "Erneut senden",
  "deliveries.tried":
    "{count, plural, one {Einmal} other {#-mal}} versucht, zuletzt: {when}, in {ms} ms.",
  "deliveries.not-tried": "Noch nicht versucht.",
  "deliveries.next": "Nächster Versuch: {when}.",
  "deliveries.once-resumed": "Es wird wieder versucht, sobald der Webhook fortgesetzt ist.",

  "incoming.title": "Eingehende Webhooks",
  "incoming.add": "Adresse hinzufügen",
  "incoming.none":
    "Lass ein anderes Programm hier schreiben: Alarme, Builds, alles, was die Form von Slack oder GitHub spricht.",
  "incoming.by": "Von {name}",
  "incoming.speaks-as": "spricht als {name}",
  "incoming.used": "benutzt: {when}",
  "incoming.not-used": "noch nicht benutzt",
  "incoming.delete-one": "Löschen <hidden>{name}</hidden>",
  "incoming.delete-text": "Die Adresse funktioniert sofort nicht mehr. Was darüber kam, bleibt.",
  "incoming.deleted": "Die Adresse von {name} ist weg.",
  "incoming.new": "Eine Adresse zum Schreiben",
  "incoming.name-hint": "Unter diesem Namen erscheinen die Nachrichten, als Bot gekennzeichnet.",
  "incoming.secret": "GitHub-Geheimnis",
  "incoming.secret-hint":
    "Nur für die Webhooks von GitHub selbst: dasselbe Geheimnis wie dort. Sonst leer lassen.",
  "incoming.make": "Adresse erzeugen",
  "incoming.address-of": "Die Adresse von {name}",
  "incoming.keep":
    "Wer sie hat, kann hier schreiben. Hüte sie wie ein Passwort: Sie wird nicht noch einmal gezeigt.",
  "incoming.try": "Ausprobieren",
  "incoming.sample": "Hallo von *curl*",
});
