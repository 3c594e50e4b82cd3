import { requireUser } from "../users/users.ts";
import { createBot, deleteBotScheduled, listBotScheduled, requireBot } from "../admin/bots.ts";
import { createToken, listTokens, revokeToken } from "../admin/tokens.ts";
import { COMMAND_LINE } from "../audit/write.ts";
import { withDatabase } from "../database/open.ts";
import { MAX_PAGE } from "../wire/limits.ts";
import { SCOPES, type Scope } from "../wire/scopes.ts";
import {
  type Call,
  type Command,
  firstArg,
  formatTable,
  parseCount,
  parseId,
  readAllPages,
  UsageError,
  valuesOf,
} from "./command.ts";

const DAY_MS = 86_400_000;
const MAX_DAYS = 3_650;

const create: Command = {
  name: "bot create",
  args: ["<username>"],
  summary: "create a bot, which then needs a token",
  effect: "audited",
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const params = { username: firstArg(call) };
      const bot = await db.transaction((tx) => createBot(tx, COMMAND_LINE, params));
      const next = `Create a token for it with: bot token ${bot.username}`;
      return { json: bot, text: `Created the bot ${bot.username}. ${next}` };
    }),
};

const token: Command = {
  name: "bot token",
  args: ["<username>"],
  summary: "create a token for a bot and show it once",
  effect: "audited",
  options: {
    scope: {
      value: "<scope>",
      multiple: true,
      required: true,
      help: `what the token allows: ${SCOPES.join(", ")}; can be repeated`,
    },
    expires: { value: "<days>", help: "expire after this many days (default: never)" },
    name: { value: "<name>", help: "what the token is for" },
  },
  async run(call) {
    const { name = "command line" } = call.options;
    const params = { name: String(name), scopes: scopesOf(call), expiresAt: expiryOf(call) };
    return withDatabase(call.config, async ({ db }) => {
      const token = await db.transaction(async (tx) => {
        const { id } = await requireUser(tx, { username: firstArg(call) });
        return createToken(tx, COMMAND_LINE, await requireBot(tx, id), params);
      });
      const expiry =
        token.expires_at === null ? "does not expire" : `expires at ${token.expires_at}`;
      const text = [
        `Created the token ${token.id} for ${firstArg(call)}. It ${expiry}.`,
        `Token (shown once): ${token.token}`,
      ];
      return { json: token, text: text.join("\n") };
    });
  },
};

const tokens: Command = {
  name: "bot tokens",
  args: ["<username>"],
  summary: "list a bot's latest tokens",
  effect: "read",
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const { id } = await requireUser(db, { username: firstArg(call) });
      const { items } = await listTokens(db, (await requireBot(db, id)).id, { limit: MAX_PAGE });
      const rows = items.map((item) => [
        item.id,
        `…${item.last4}`,
        item.scopes.join(" "),
        item.last_used_at === null ? "never used" : `used ${item.last_used_at}`,
        item.expires_at === null ? "" : `until ${item.expires_at}`,
        item.name,
      ]);
      return { json: items, text: items.length === 0 ? "No tokens." : formatTable(rows) };
    }),
};

const revoke: Command = {
  name: "bot revoke",
  args: ["<token id>"],
  summary: "revoke a token and close its sockets",
  effect: "audited",
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const tokenId = firstArg(call);
      const token = await db.transaction((tx) => revokeToken(tx, COMMAND_LINE, tokenId));
      return { json: token, text: `Revoked the token ${token.name} of ${token.bot}.` };
    }),
};

const listScheduled: Command = {
  name: "bot scheduled",
  args: ["<username>"],
  summary: "list a bot's scheduled and failed messages by time, with the text of open rooms",
  effect: "read",
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const { id } = await requireUser(db, { username: firstArg(call) });
      const messages = await readAllPages((page) => listBotScheduled(db, null, id, page));
      const rows = messages.map((message) => [
        message.id,
        message.send_at,
        message.room.name === null ? "a conversation" : `#${message.room.name}`,
        message.state === "failed" ? `failed: ${message.reason}` : "waiting",
        message.content ?? "",
      ]);
      const text = messages.length === 0 ? "Nothing is scheduled." : formatTable(rows);
      return { json: messages, text };
    }),
};

const deleteScheduled: Command = {
  name: "bot delete-scheduled",
  args: ["<username>", "<message id>"],
  summary: "delete a scheduled message of a bot, which is then not sent",
  effect: "audited",
  async run(call) {
    const [username = "", messageId] = call.args;
    const scheduledId = parseId(messageId);
    return withDatabase(call.config, async ({ db }) => {
      await db.transaction(async (tx) => {
        const { id } = await requireUser(tx, { username });
        await deleteBotScheduled(tx, COMMAND_LINE, id, scheduledId);
      });
      return { json: { id: scheduledId }, text: `Deleted a scheduled message of ${username}.` };
    });
  },
};

function scopesOf(call: Call): Scope[] {
  const values = valuesOf(call, "scope");
  const unknown = values.find((value) => !SCOPES.some((scope) => scope === value));
  if (unknown === undefined) return SCOPES.filter((scope) => values.includes(scope));
  throw new UsageError(
    `There is no scope ${unknown}. bot token needs --scope ${SCOPES.join("|")}.`,
  );
}

function expiryOf({ options }: Call): Date | null {
  if (options.expires === undefined) return null;
  const days = parseCount("--expires", String(options.expires), 1, MAX_DAYS);
  return new Date(Date.now() + days * DAY_MS);
}

export const botCommands: Command[] = [
  create,
  token,
  tokens,
  revoke,
  listScheduled,
  deleteScheduled,
];
