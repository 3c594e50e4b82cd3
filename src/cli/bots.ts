import { createBot, getBot } from "../admin/bots.ts";
import { createToken, listTokens, revokeToken } from "../admin/tokens.ts";
import { getUser } from "../accounts/users.ts";
import { COMMAND_LINE } from "../audit/write.ts";
import { withDatabase } from "../database/open.ts";
import { MAX_PAGE } from "../wire/limits.ts";
import { SCOPES, type Scope } from "../wire/scopes.ts";
import { type Call, type Command, firstWord, table, UsageError } from "./command.ts";

const DAY_MS = 86_400_000;
const MOST_DAYS = 3_650;

const create: Command = {
  name: "bot create",
  usage: "<username>",
  summary: "make a bot; it calls with a token",
  words: 1,
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const given = { username: firstWord(call) };
      const bot = await db.transaction((tx) => createBot(tx, COMMAND_LINE, given));
      return { json: bot, text: `Made the bot ${bot.username}. It needs a token: bot token.` };
    }),
};

const token: Command = {
  name: "bot token",
  usage: "<username> --scope <scope>... [--expires <days>] [--name <name>]",
  summary: "make a token for a bot and show it once",
  words: 1,
  options: {
    scope: { type: "string", multiple: true },
    expires: { type: "string" },
    name: { type: "string" },
  },
  help: [
    ["--scope <scope>", `what it allows, once for each: ${SCOPES.join(", ")} (needed)`],
    ["--expires <days>", "for how long; else until it is revoked"],
    ["--name <name>", "what it is for"],
  ],
  async run(call) {
    const { name = "command line" } = call.options;
    const given = { name: String(name), scopes: scopesOf(call), expiresAt: expiryOf(call) };
    return withDatabase(call.config, async ({ db }) => {
      const made = await db.transaction(async (tx) => {
        const { id } = await getUser(tx, { username: firstWord(call) });
        return createToken(tx, COMMAND_LINE, await getBot(tx, id), given);
      });
      const until = made.expires_at === null ? "until it is revoked" : `until ${made.expires_at}`;
      const text = [
        `Made the token ${made.id} for ${firstWord(call)}, good ${until}.`,
        `Token (shown once): ${made.token}`,
      ];
      return { json: made, text: text.join("\n") };
    });
  },
};

const tokens: Command = {
  name: "bot tokens",
  usage: "<username>",
  summary: "list a bot's latest tokens",
  words: 1,
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const { id } = await getUser(db, { username: firstWord(call) });
      const { items } = await listTokens(db, (await getBot(db, id)).id, { limit: MAX_PAGE });
      const lines = items.map((one) => [
        one.id,
        `…${one.last4}`,
        one.scopes.join(" "),
        one.last_used_at === null ? "never used" : `used ${one.last_used_at}`,
        one.expires_at === null ? "" : `until ${one.expires_at}`,
        one.name,
      ]);
      return { json: items, text: items.length === 0 ? "It has no token." : table(lines) };
    }),
};

const revoke: Command = {
  name: "bot revoke",
  usage: "<token id>",
  summary: "revoke a token and close the sockets that stand on it",
  words: 1,
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const tokenId = firstWord(call);
      const revoked = await db.transaction((tx) => revokeToken(tx, COMMAND_LINE, tokenId));
      return { json: revoked, text: `Revoked the token ${revoked.name} of ${revoked.bot}.` };
    }),
};

function scopesOf({ options }: Call): Scope[] {
  const given = Array.isArray(options.scope) ? options.scope : [];
  const scopes = SCOPES.filter((scope) => given.includes(scope));
  if (scopes.length > 0 && given.every((one) => scopes.some((scope) => scope === one))) {
    return scopes;
  }
  throw new UsageError(`bot token needs --scope, once or more, of ${SCOPES.join(", ")}.`);
}

function expiryOf({ options }: Call): Date | null {
  if (options.expires === undefined) return null;
  const days = Number(options.expires);
  if (Number.isInteger(days) && days > 0 && days <= MOST_DAYS) {
    return new Date(Date.now() + days * DAY_MS);
  }
  throw new UsageError(`--expires is a number of days, 1 to ${MOST_DAYS}.`);
}

export const botCommands: Command[] = [create, token, tokens, revoke];
