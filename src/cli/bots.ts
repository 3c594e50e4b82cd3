import {
  createBot,
  deleteBotScheduledMessage,
  listBotScheduledMessages,
  requireBot,
} from "../admin/bots.ts";
import { createToken, listTokens, revokeToken } from "../admin/tokens.ts";
import { COMMAND_LINE } from "../audit/write.ts";
import type { Query } from "../database/connect.ts";
import { withDatabase } from "../database/open.ts";
import { requireUser, type UserRow } from "../users/users.ts";
import { MAX_PAGE } from "../wire/limits.ts";
import { SCOPES, type Scope } from "../wire/scopes.ts";
import {
  type Call,
  type Command,
  inDatabase,
  inTransaction,
  listResult,
  parseCount,
  readAllPages,
  textOf,
  UsageError,
  valuesOf,
} from "./command.ts";

const DAY_MS = 86_400_000;
const MAX_DAYS = 3_650;

/** @throws Refusal `not_found` */
async function findBot(tx: Query, call: Call): Promise<UserRow> {
  const { id } = await requireUser(tx, { username: call.arg });
  return requireBot(tx, id);
}

function scopesOf(call: Call): Scope[] {
  const values = valuesOf(call, "scope");
  const unknown = values.find((value) => !SCOPES.some((scope) => scope === value));
  if (unknown === undefined) return SCOPES.filter((scope) => values.includes(scope));
  throw new UsageError(
    `There is no scope ${unknown}. bot token needs --scope ${SCOPES.join("|")}.`,
  );
}

function expiryOf(call: Call): Date | null {
  const text = textOf(call, "expires");
  if (text === undefined) return null;
  return new Date(Date.now() + parseCount("--expires", text, 1, MAX_DAYS) * DAY_MS);
}

export const botCommands: Command[] = [
  {
    name: "bot create",
    args: ["<username>"],
    summary: "create a bot, which then needs a token",
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const bot = await createBot(tx, COMMAND_LINE, { username: call.arg });
      const next = `Create a token for it with: bot token ${bot.username}`;
      return { json: bot, text: `Created the bot ${bot.username}. ${next}` };
    }),
  },
  {
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
      const name = textOf(call, "name") ?? "command line";
      const params = { name, scopes: scopesOf(call), expiresAt: expiryOf(call) };
      return withDatabase(call.config, async ({ db }) => {
        const token = await db.transaction(async (tx) =>
          createToken(tx, COMMAND_LINE, await findBot(tx, call), params),
        );
        const expiry =
          token.expires_at === null ? "does not expire" : `expires at ${token.expires_at}`;
        const text = [
          `Created the token ${token.id} for ${call.arg}. It ${expiry}.`,
          `Token (shown once): ${token.token}`,
        ];
        return { json: token, text: text.join("\n") };
      });
    },
  },
  {
    name: "bot tokens",
    args: ["<username>"],
    summary: "list a bot's latest tokens",
    effect: "read",
    run: inDatabase(async ({ db }, call) => {
      const { items } = await listTokens(db, (await findBot(db, call)).id, { limit: MAX_PAGE });
      return listResult(items, "No tokens.", (item) => [
        item.id,
        `…${item.last4}`,
        item.scopes.join(" "),
        item.last_used_at === null ? "never used" : `used ${item.last_used_at}`,
        item.expires_at === null ? "" : `until ${item.expires_at}`,
        item.name,
      ]);
    }),
  },
  {
    name: "bot revoke",
    args: ["<token id>"],
    summary: "revoke a token and close its sockets",
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const token = await revokeToken(tx, COMMAND_LINE, call.arg);
      return { json: token, text: `Revoked the token ${token.name} of ${token.bot}.` };
    }),
  },
  {
    name: "bot scheduled",
    args: ["<username>"],
    summary: "list a bot's scheduled and failed messages by time, with the text of open rooms",
    effect: "read",
    run: inDatabase(async ({ db }, call) => {
      const { id } = await findBot(db, call);
      const messages = await readAllPages((page) => listBotScheduledMessages(db, null, id, page));
      return listResult(messages, "Nothing is scheduled.", (message) => [
        message.id,
        message.send_at,
        message.room.name === null ? "a conversation" : `#${message.room.name}`,
        message.state === "failed" ? `failed: ${message.reason}` : "waiting",
        message.content ?? "",
      ]);
    }),
  },
  {
    name: "bot delete-scheduled",
    args: ["<username>", "<message id>"],
    summary: "delete a scheduled message of a bot, which is then not sent",
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const [username = "", id = ""] = call.args;
      await deleteBotScheduledMessage(tx, COMMAND_LINE, (await findBot(tx, call)).id, id);
      return { json: { id }, text: `Deleted a scheduled message of ${username}.` };
    }),
  },
];
