import { baseUrlOf } from "../../config.ts";
import type { Command } from "../command.ts";

export const demo: Command = {
  name: "demo",
  summary: "fill an empty service with example people, rooms and messages",
  effect: "operate",
  async run({ config }) {
    // Imported here because it loads the whole service, which would slow other commands down.
    const { createDemo } = await import("./create.ts");
    const { usernames, password } = await createDemo(config);
    const text = `Sign in at ${baseUrlOf(config)} as ${usernames.join(", ")}. ada is the administrator.\nPassword of all accounts (shown once): ${password}`;
    return { json: { usernames, password }, text };
  },
};
