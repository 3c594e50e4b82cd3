import { compileMessages } from "../compile.ts" with { type: "macro" };

/** The webhooks of a room. */
export const webhooks = compileMessages({
  "webhooks.outgoing": "Outgoing webhooks",
  "webhooks.add": "Add webhook",
  "webhooks.add-title": "Add webhook",
  "webhooks.none": "Send this room's events to another program.",
  "webhooks.name-hint": "So you recognize it later.",
  "webhooks.url": "URL",
  "webhooks.url-hint":
    "Each event is sent there as a signed JSON POST request (Standard Webhooks).",
  "webhooks.events": "Events",
  "webhooks.choose-one": "Choose at least one.",
  "webhooks.secret": "Secret",
  "webhooks.secret-title": "Signing secret",
  "webhooks.secret-text":
    "The receiver uses it to check that requests come from here. Copy it now: it won't be shown again.",
  "webhooks.new-secret": "New signing secret",
  "webhooks.new-secret-text":
    "Copy it now: it won't be shown again. The old secret keeps signing as well for a day, so that you can update the receiver.",
  "webhooks.test": "Send test",
  "webhooks.pause": "Pause",
  "webhooks.resume": "Resume",
  "webhooks.resumed": "Webhook resumed. New events are sent from now on.",
  "webhooks.paused": "Webhook paused. Nothing is sent until you resume it.",
  "webhooks.rotate": "Rotate secret",
  "webhooks.rotate-title": "Rotate the secret?",
  "webhooks.rotate-text":
    "The old secret keeps signing beside the new one for a day. Update the receiver before that.",
  "webhooks.rotate-action": "Rotate secret",
  "webhooks.edit-title": "Edit webhook",
  "webhooks.delete-title": "Delete {name}?",
  "webhooks.delete-text":
    "Nothing more is sent, and its delivery history is deleted. This can't be undone.",
  "webhooks.delete": "Delete webhook",
  "webhooks.both-until": "The old secret also signs until {when}.",

  "event.message.created": "New messages",
  "event.message.updated": "Edited messages",
  "event.message.deleted": "Deleted messages",
  "event.reaction.changed": "Reactions",
  "event.member.added": "People joining",
  "event.member.removed": "People leaving",
  "event.room.updated": "Room changes",

  "status.off": "Turned off. {reason}",
  "status.paused": "Paused",
  "status.nothing": "Nothing sent yet",
  "status.delivered-at": "Delivered {when}",
  "status.failing": "Failing since {when}. {error}",
  "status.last-failed": "Last attempt failed. {error}",
  "status.delivered": "Delivered, {status}",
  "status.failed": "Failed",
  "status.failed-with": "Failed, {status}",
  "status.queued": "Waiting to be sent",
  "status.retry": "Waiting for a retry",
  "status.retry-with": "Waiting for a retry, {status}",

  "deliveries.title": "Deliveries in the last 30 days",
  "deliveries.none": "Nothing sent yet. Send a test.",
  "deliveries.older": "Show older",
  "deliveries.sent": "Sent",
  "deliveries.response": "Start of the response",
  "deliveries.resend": "Resend",
  "deliveries.attempts":
    "{count, plural, one {# attempt} other {# attempts}}, last {when}, took {ms} ms.",
  "deliveries.no-attempts": "No attempt yet.",
  "deliveries.next": "Next attempt: {when}.",
  "deliveries.once-resumed": "It will be retried once the webhook is resumed.",

  "incoming.title": "Incoming webhooks",
  "incoming.add": "Create URL",
  "incoming.none":
    "Let another program post here: alerts, builds, anything that uses the webhook format of Slack or GitHub.",
  "incoming.by": "By {name}",
  "incoming.posts-as": "posts as {name}",
  "incoming.used": "last used {when}",
  "incoming.not-used": "not used yet",
  "incoming.delete-one": "Delete <hidden>{name}</hidden>",
  "incoming.delete-text": "The URL stops working at once. Messages posted with it stay.",
  "incoming.deleted": "The URL of {name} was deleted",
  "incoming.new": "New incoming webhook",
  "incoming.name-hint": "Its messages appear under this name, marked as a bot's.",
  "incoming.secret": "GitHub secret",
  "incoming.secret-hint":
    "Only for GitHub's own webhooks: the secret you set there. Otherwise leave it empty.",
  "incoming.create": "Create URL",
  "incoming.url-of": "URL of {name}",
  "incoming.keep":
    "Anyone who has it can post here. Treat it like a password: it won't be shown again.",
  "incoming.try": "Try it",
  "incoming.sample": "Hello from *curl*",
});
