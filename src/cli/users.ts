import { asc } from "drizzle-orm";
import {
  createAccount,
  deactivateUser,
  demoteUser,
  promoteUser,
  reactivateUser,
  hashUserPassword,
  setUserPassword,
} from "../accounts/administer.ts";
import { lockUser } from "../accounts/lock-user.ts";
import { generatePassword } from "../accounts/passwords.ts";
import { getUser, type UserRow } from "../accounts/users.ts";
import { type AuditActor, COMMAND_LINE } from "../audit/write.ts";
import type { Transaction } from "../database/connect.ts";
import { withDatabase } from "../database/open.ts";
import { users } from "../database/schema.ts";
import { type Call, type Command, firstWord, type Result, table, UsageError } from "./command.ts";

const PASSWORD_STDIN = {
  options: { "password-stdin": { type: "boolean" } },
  help: [
    "--password-stdin",
    "read the password from standard input; else one is made and shown once",
  ],
} as const;

/** An account as the command line shows it. */
function view(user: UserRow) {
  return {
    id: user.id,
    username: user.username,
    display_name: user.displayName,
    email: user.email,
    is_active: user.isActive,
    is_site_admin: user.isSiteAdmin,
    is_bot: user.isBot,
    created_at: user.createdAt.toISOString(),
    last_seen_at: user.lastSeenAt?.toISOString() ?? null,
  };
}

function state(user: UserRow): string {
  const words = [user.isActive ? "active" : "deactivated"];
  if (user.isSiteAdmin) words.push("site admin");
  if (user.isBot) words.push("bot");
  return words.join(", ");
}

async function choosePassword(call: Call): Promise<{ password: string; made: boolean }> {
  if (!call.options["password-stdin"]) return { password: generatePassword(), made: true };
  return { password: await call.readPassword(), made: false };
}

const create: Command = {
  name: "user create",
  usage: "<username> --email <address> [--admin] [--display-name <name>] [--password-stdin]",
  summary: "make an account",
  words: 1,
  options: {
    email: { type: "string" },
    admin: { type: "boolean" },
    "display-name": { type: "string" },
    ...PASSWORD_STDIN.options,
  },
  help: [
    ["--email <address>", "the account's email address (needed)"],
    ["--admin", "make it a site administrator"],
    ["--display-name <name>", "the name that others see"],
    [...PASSWORD_STDIN.help],
  ],
  async run(call) {
    const { email } = call.options;
    if (typeof email !== "string") throw new UsageError("user create needs --email <address>.");
    const displayName = call.options["display-name"];
    const { password, made } = await choosePassword(call);
    const given = {
      username: firstWord(call),
      email,
      password,
      displayName: typeof displayName === "string" ? displayName : null,
      isSiteAdmin: call.options.admin === true,
    };
    return withDatabase(call.config, async ({ db }) => {
      const user = await db.transaction((tx) => createAccount(tx, COMMAND_LINE, given));
      return withPassword(user, `Made the account ${user.username}.`, made ? password : null);
    });
  },
};

function withPassword(user: UserRow, done: string, password: string | null): Result {
  if (password === null) return { json: view(user), text: done };
  const text = `${done}\nPassword (shown once): ${password}`;
  return { json: { ...view(user), password }, text };
}

const list: Command = {
  name: "user list",
  usage: "",
  summary: "list all accounts",
  words: 0,
  run: ({ config }) =>
    withDatabase(config, async ({ db }) => {
      const rows = await db.select().from(users).orderBy(asc(users.username));
      const lines = rows.map((row) => [
        row.username,
        row.email ?? "-",
        state(row),
        row.displayName ?? "",
      ]);
      const text = rows.length === 0 ? "There is no account yet." : table(lines);
      return { json: rows.map(view), text };
    }),
};

const show: Command = {
  name: "user show",
  usage: "<username>",
  summary: "show one account",
  words: 1,
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const user = await getUser(db, { username: firstWord(call) });
      const rows = Object.entries(view(user)).map(([key, value]) => [key, String(value ?? "-")]);
      return { json: view(user), text: table(rows) };
    }),
};

const setPassword: Command = {
  name: "user set-password",
  usage: "<username> [--password-stdin]",
  summary: "set an account's password and end its sessions",
  words: 1,
  options: PASSWORD_STDIN.options,
  help: [[...PASSWORD_STDIN.help]],
  async run(call) {
    const { password, made } = await choosePassword(call);
    return withDatabase(call.config, async ({ db }) => {
      const key = { username: firstWord(call) };
      const passwordHash = await hashUserPassword(db, key, password);
      const user = await db.transaction(async (tx) =>
        setUserPassword(tx, COMMAND_LINE, await lockUser(tx, key), passwordHash),
      );
      const done = `Set the password of ${user.username} and ended all sessions.`;
      return withPassword(user, done, made ? password : null);
    });
  },
};

/** A command that changes one thing of an account. */
function change(
  verb: string,
  summary: string,
  done: string,
  work: (tx: Transaction, actor: AuditActor, user: UserRow) => Promise<UserRow>,
): Command {
  return {
    name: `user ${verb}`,
    usage: "<username>",
    summary,
    words: 1,
    run: (call) =>
      withDatabase(call.config, async ({ db }) => {
        const user = await db.transaction(async (tx) =>
          work(tx, COMMAND_LINE, await lockUser(tx, { username: firstWord(call) })),
        );
        return { json: view(user), text: `${user.username} ${done}.` };
      }),
  };
}

export const userCommands: Command[] = [
  create,
  list,
  show,
  setPassword,
  change(
    "deactivate",
    "deactivate an account and end its sessions",
    "is deactivated",
    deactivateUser,
  ),
  change("reactivate", "let a deactivated account sign in again", "is active", reactivateUser),
  change("promote", "make an account a site administrator", "is a site administrator", promoteUser),
  change("demote", "take site administration away", "is no site administrator", demoteUser),
];
