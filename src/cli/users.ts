import { asc } from "drizzle-orm";
import {
  type AccountChange,
  deactivateUser,
  demoteUser,
  hashUserPassword,
  promoteUser,
  reactivateUser,
  resetSecondFactor,
  setKeepsPassword,
  setUserPassword,
  unlockUser,
} from "../accounts/administer.ts";
import { createAccount, prepareUser } from "../accounts/create-account.ts";
import { COMMAND_LINE } from "../audit/write.ts";
import { withDatabase } from "../database/open.ts";
import { users } from "../database/schema.ts";
import { generatePassword } from "../sign-in/passwords.ts";
import { lockUser, requireUser, type UserRow } from "../users/users.ts";
import {
  type Call,
  type Command,
  fieldsResult,
  inDatabase,
  inTransaction,
  listResult,
  type Option,
  type Result,
  textOf,
} from "./command.ts";

function toJson(user: UserRow) {
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

function describeState(user: UserRow): string {
  const words = [user.isActive ? "active" : "deactivated"];
  if (user.isSiteAdmin) words.push("site admin");
  if (user.isBot) words.push("bot");
  return words.join(", ");
}

function withPassword(user: UserRow, outcome: string, password: string | null): Result {
  if (password === null) return { json: toJson(user), text: outcome };
  const text = `${outcome}\nPassword (shown once): ${password}`;
  return { json: { ...toJson(user), password }, text };
}

const PASSWORD_STDIN: Record<string, Option> = {
  "password-stdin": {
    help: "read the password from standard input; otherwise one is generated and shown once",
  },
};

async function choosePassword(call: Call): Promise<{ password: string; isGenerated: boolean }> {
  if (!call.options["password-stdin"]) return { password: generatePassword(), isGenerated: true };
  return { password: await call.readPassword(), isGenerated: false };
}

function changeCommand(
  verb: string,
  summary: string,
  outcome: string,
  change: AccountChange,
): Command {
  return {
    name: `user ${verb}`,
    args: ["<username>"],
    summary,
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const before = await lockUser(tx, { username: call.arg });
      const user = await change(tx, COMMAND_LINE, before);
      return { json: toJson(user), text: `${user.username} ${outcome}.` };
    }),
  };
}

export const userCommands: Command[] = [
  {
    name: "user create",
    args: ["<username>"],
    summary: "create an account",
    effect: "audited",
    options: {
      email: { value: "<address>", required: true, help: "the account's email address" },
      admin: { help: "make it a site administrator" },
      "display-name": { value: "<name>", help: "the name that others see" },
      ...PASSWORD_STDIN,
    },
    async run(call) {
      const { password, isGenerated } = await choosePassword(call);
      const params = {
        username: call.arg,
        email: String(call.options.email),
        password,
        displayName: textOf(call, "display-name"),
        isSiteAdmin: call.options.admin === true,
      };
      return withDatabase(call.config, async ({ db }) => {
        const account = await prepareUser(params);
        const user = await db.transaction((tx) => createAccount(tx, COMMAND_LINE, account));
        return withPassword(
          user,
          `Created the account ${user.username}.`,
          isGenerated ? password : null,
        );
      });
    },
  },
  {
    name: "user list",
    summary: "list all accounts",
    effect: "read",
    run: inDatabase(async ({ db }) => {
      const rows = await db.select().from(users).orderBy(asc(users.username));
      const { text } = listResult(rows, "No accounts yet.", (row) => [
        row.username,
        row.email ?? "-",
        describeState(row),
        row.displayName ?? "",
      ]);
      return { json: rows.map(toJson), text };
    }),
  },
  {
    name: "user show",
    args: ["<username>"],
    summary: "show one account",
    effect: "read",
    run: inDatabase(async ({ db }, call) => {
      return fieldsResult(toJson(await requireUser(db, { username: call.arg })));
    }),
  },
  {
    name: "user set-password",
    args: ["<username>"],
    summary: "set an account's password and end its sessions",
    effect: "audited",
    options: PASSWORD_STDIN,
    async run(call) {
      const { password, isGenerated } = await choosePassword(call);
      return withDatabase(call.config, async ({ db }) => {
        const key = { username: call.arg };
        const passwordHash = await hashUserPassword(db, key, password);
        const user = await db.transaction(async (tx) =>
          setUserPassword(tx, COMMAND_LINE, await lockUser(tx, key), passwordHash),
        );
        const outcome = `Set the password of ${user.username} and ended all sessions.`;
        return withPassword(user, outcome, isGenerated ? password : null);
      });
    },
  },
  changeCommand(
    "deactivate",
    "deactivate an account and end its sessions",
    "is deactivated",
    deactivateUser,
  ),
  changeCommand(
    "reactivate",
    "let a deactivated account sign in again",
    "is active",
    reactivateUser,
  ),
  changeCommand(
    "unlock",
    "let someone sign in again after too many wrong passwords or codes",
    "can sign in again at once",
    unlockUser,
  ),
  changeCommand(
    "promote",
    "make an account a site administrator",
    "is a site administrator",
    promoteUser,
  ),
  changeCommand(
    "demote",
    "revoke the site administrator role",
    "is no longer a site administrator",
    demoteUser,
  ),
  {
    name: "user reset-second-factor",
    args: ["<username>"],
    summary: "remove an account's second factor and end its sessions",
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const user = await lockUser(tx, { username: call.arg });
      const { id, username } = await resetSecondFactor(tx, COMMAND_LINE, user);
      const text = `${username} has no second factor.`;
      return { json: { id, username, has_second_factor: false }, text };
    }),
  },
  {
    name: "user keeps-password",
    args: ["<username>", "<on|off>"],
    summary: "make an account an emergency account, which keeps its password beside a provider",
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const change = setKeepsPassword(call.args[1] === "on");
      const user = await change(tx, COMMAND_LINE, await lockUser(tx, { username: call.arg }));
      const { id, username, keepsPassword: keeps_password } = user;
      const text = keeps_password
        ? `${username} keeps the password.`
        : `${username} is no emergency account.`;
      return { json: { id, username, keeps_password }, text };
    }),
  },
];
