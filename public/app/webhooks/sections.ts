/** The sections of webhooks in the settings of a room, loaded together. */
export { IncomingWebhooks } from "./incoming/section.tsx";
export { OutgoingWebhooks } from "./outgoing/section.tsx";
