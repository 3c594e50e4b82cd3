import { deleteWebhook, listWebhooks } from "../admin/webhooks.ts";
import { COMMAND_LINE } from "../audit/write.ts";
import {
  type Command,
  firstArg,
  inDatabase,
  inTransaction,
  listResult,
  readAllPages,
} from "./command.ts";

const list: Command = {
  name: "webhook list",
  summary: "list incoming and outgoing webhooks of all rooms, the latest first",
  effect: "read",
  run: inDatabase(async ({ sql }) => {
    const webhooks = await readAllPages((page) => listWebhooks(sql, page));
    return listResult(webhooks, "No webhooks.", (item) => [
      item.id,
      item.direction,
      `#${item.room.name}`,
      item.name,
      item.is_active ? "active" : "paused",
      item.url ?? "",
    ]);
  }),
};

const remove: Command = {
  name: "webhook delete",
  args: ["<webhook id>"],
  summary: "delete a webhook: its address no longer works, or nothing is sent to it",
  effect: "audited",
  run: inTransaction(async (tx, call) => {
    const id = firstArg(call);
    const { name } = await deleteWebhook(tx, COMMAND_LINE, id);
    return { json: { id, name }, text: `Deleted the webhook ${name}.` };
  }),
};

export const webhookCommands: Command[] = [list, remove];
