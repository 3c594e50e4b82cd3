import { COMMAND_LINE } from "../audit/write.ts";
import { withDatabase } from "../database/open.ts";
import { lockUser } from "../users/users.ts";
import { readSignInSettings, setSecondFactorPolicy } from "../sign-in/settings.ts";
import { resetSecondFactor, setKeepsPassword } from "../accounts/administer.ts";
import type { SecondFactorPolicy, SignInSettings } from "../wire/providers.ts";
import { type Command, firstArg, formatTable, parseSwitch, UsageError } from "./command.ts";

const POLICIES = ["optional", "administrators", "everyone"] as const;

const show: Command = {
  name: "sign-in show",
  summary: "show who must have a second factor",
  effect: "read",
  run: ({ config }) =>
    withDatabase(config, async ({ db }) => toResult(await readSignInSettings(db))),
};

const set: Command = {
  name: "sign-in set",
  summary: "set who must have a second factor",
  effect: "audited",
  options: {
    "second-factor": {
      value: `<${POLICIES.join("|")}>`,
      required: true,
      help: "optional turns the policy off, and gives back what it had restricted",
    },
  },
  async run(call) {
    const policy = policyOf(String(call.options["second-factor"]));
    return withDatabase(call.config, async ({ db }) =>
      toResult(await db.transaction((tx) => setSecondFactorPolicy(tx, COMMAND_LINE, policy))),
    );
  },
};

function policyOf(text: string): SecondFactorPolicy {
  const policy = POLICIES.find((value) => value === text);
  if (policy) return policy;
  throw new UsageError(`--second-factor needs one of ${POLICIES.join(", ")}.`);
}

function toResult(settings: SignInSettings) {
  const rows = Object.entries(settings).map(([key, value]) => [key, String(value ?? "-")]);
  return { json: settings, text: formatTable(rows) };
}

const resetFactor: Command = {
  name: "user reset-second-factor",
  args: ["<username>"],
  summary: "remove an account's second factor and end its sessions",
  effect: "audited",
  run: (call) =>
    withDatabase(call.config, async ({ db }) => {
      const key = { username: firstArg(call) };
      const user = await db.transaction(async (tx) =>
        resetSecondFactor(tx, COMMAND_LINE, await lockUser(tx, key)),
      );
      const text = `${user.username} has no second factor.`;
      return { json: { id: user.id, username: user.username, has_second_factor: false }, text };
    }),
};

const keepsPassword: Command = {
  name: "user keeps-password",
  args: ["<username>", "<on|off>"],
  summary: "make an account an emergency account, which keeps its password beside a provider",
  effect: "audited",
  async run(call) {
    const [username = "", state] = call.args;
    const keeps = parseSwitch(state);
    return withDatabase(call.config, async ({ db }) => {
      const user = await db.transaction(async (tx) =>
        setKeepsPassword(keeps)(tx, COMMAND_LINE, await lockUser(tx, { username })),
      );
      const text = user.keepsPassword
        ? `${user.username} keeps the password.`
        : `${user.username} is no emergency account.`;
      const { id, keepsPassword: keeps_password } = user;
      return { json: { id, username: user.username, keeps_password }, text };
    });
  },
};

export const signInCommands: Command[] = [show, set, resetFactor, keepsPassword];
