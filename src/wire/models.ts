/** The models in responses and events. Every documented field is present; an empty one is null or []. */

export * from "./models/basics.ts";
export * from "./models/themes.ts";
export * from "./models/people.ts";
export * from "./models/rooms.ts";
export * from "./models/messages.ts";
