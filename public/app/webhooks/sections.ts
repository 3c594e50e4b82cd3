/** The sections of webhooks in the settings of a room, loaded together. */
export { IncomingWebhooks } from "./incoming/incoming-webhooks.tsx";
export { OutgoingWebhooks } from "./outgoing/outgoing-webhooks.tsx";
