import { COMMAND_LINE } from "../audit/write.ts";
import { lockUser } from "../users/users.ts";
import { readSignInSettings, setSecondFactorPolicy } from "../sign-in/settings.ts";
import { resetSecondFactor, setKeepsPassword } from "../accounts/administer.ts";
import type { SecondFactorPolicy, SignInSettings } from "../wire/providers.ts";
import { type Command, firstArg, formatTable, inDatabase, inTransaction } from "./command.ts";

const show: Command = {
  name: "sign-in show",
  summary: "show who must have a second factor",
  effect: "read",
  run: inDatabase(async ({ db }) => toResult(await readSignInSettings(db))),
};

const set: Command = {
  name: "sign-in set",
  summary: "set who must have a second factor",
  effect: "audited",
  options: {
    "second-factor": {
      value: "<optional|administrators|everyone>",
      required: true,
      help: "optional turns the policy off, and gives back what it had restricted",
    },
  },
  run: inTransaction(async (tx, call) => {
    const policy = call.options["second-factor"] as SecondFactorPolicy;
    return toResult(await setSecondFactorPolicy(tx, COMMAND_LINE, policy));
  }),
};

function toResult(settings: SignInSettings) {
  const rows = Object.entries(settings).map(([key, value]) => [key, String(value ?? "-")]);
  return { json: settings, text: formatTable(rows) };
}

const resetFactor: Command = {
  name: "user reset-second-factor",
  args: ["<username>"],
  summary: "remove an account's second factor and end its sessions",
  effect: "audited",
  run: inTransaction(async (tx, call) => {
    const user = await lockUser(tx, { username: firstArg(call) });
    const { id, username } = await resetSecondFactor(tx, COMMAND_LINE, user);
    const text = `${username} has no second factor.`;
    return { json: { id, username, has_second_factor: false }, text };
  }),
};

const keepsPassword: Command = {
  name: "user keeps-password",
  args: ["<username>", "<on|off>"],
  summary: "make an account an emergency account, which keeps its password beside a provider",
  effect: "audited",
  run: inTransaction(async (tx, call) => {
    const change = setKeepsPassword(call.args[1] === "on");
    const user = await change(tx, COMMAND_LINE, await lockUser(tx, { username: firstArg(call) }));
    const { id, username, keepsPassword: keeps_password } = user;
    const text = keeps_password
      ? `${username} keeps the password.`
      : `${username} is no emergency account.`;
    return { json: { id, username, keeps_password }, text };
  }),
};

export const signInCommands: Command[] = [show, set, resetFactor, keepsPassword];
