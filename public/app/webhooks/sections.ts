/** The webhook sections of a room's settings, loaded together. */
export { IncomingWebhooks } from "./incoming/incoming-webhooks.tsx";
export { OutgoingWebhooks } from "./outgoing/outgoing-webhooks.tsx";
