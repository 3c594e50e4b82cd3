import { deleteWebhook, listWebhooks } from "../admin/webhooks.ts";
import { COMMAND_LINE } from "../audit/write.ts";
import { withDatabase } from "../database/open.ts";
import { type Command, firstArg, formatTable, parseId, readAllPages } from "./command.ts";

const list: Command = {
  name: "webhook list",
  summary: "list incoming and outgoing webhooks of all rooms, the latest first",
  effect: "read",
  run: ({ config }) =>
    withDatabase(config, async ({ sql }) => {
      const webhooks = await readAllPages((page) => listWebhooks(sql, page));
      const rows = webhooks.map((item) => [
        item.id,
        item.direction,
        `#${item.room.name}`,
        item.name,
        item.is_active ? "active" : "paused",
        item.url ?? "",
      ]);
      return { json: webhooks, text: webhooks.length === 0 ? "No webhooks." : formatTable(rows) };
    }),
};

const remove: Command = {
  name: "webhook delete",
  args: ["<webhook id>"],
  summary: "delete a webhook: its address no longer works, or nothing is sent to it",
  effect: "audited",
  run(call) {
    const id = parseId(firstArg(call));
    return withDatabase(call.config, async ({ db }) => {
      const { name } = await db.transaction((tx) => deleteWebhook(tx, COMMAND_LINE, id));
      return { json: { id, name }, text: `Deleted the webhook ${name}.` };
    });
  },
};

export const webhookCommands: Command[] = [list, remove];
