import { baseUrlOf } from "../../config.ts";
import type { Command } from "../command.ts";

/** People, rooms and messages in an empty service. */
export const demo: Command = {
  name: "demo",
  usage: "",
  summary: "fill an empty service with people, rooms and messages to look around in",
  words: 0,
  async run({ config }) {
    // It takes the whole service, which other commands do not wait for.
    const { makeDemo } = await import("./make.ts");
    const { usernames, password } = await makeDemo(config);
    const text = `Sign in at ${baseUrlOf(config)} as ${usernames.join(", ")}. ada is the administrator.\nPassword of all (shown once): ${password}`;
    return { json: { usernames, password }, text };
  },
};
