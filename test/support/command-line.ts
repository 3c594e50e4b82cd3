import { COMMANDS, runCommand } from "../../src/cli/run.ts";
import { isFirstInRun } from "./first.ts";
import { type Finished, Running } from "./process.ts";

type Run = (args: string[], env: Record<string, string>, stdin?: string) => Promise<Finished>;

/**
 * Runs a command. A run's first call of each is a process of its own, as operators run it; the others
 * take the start of Bun as tested, and run by `runHere`.
 */
export const runCli: Run = (args, env, stdin) =>
  isFirstInRun(`command ${nameOf(args)}`)
    ? Running.cli(args, env, stdin)
    : runHere(args, env, stdin);

/** Runs a command in this process, by the function that `cli.ts` consists of. */
export const runHere: Run = async (args, env, stdin = "") => {
  const out: string[] = [];
  const err: string[] = [];
  const status = await runCommand(
    args,
    {
      out: (text) => void out.push(`${text}\n`),
      err: (text) => void err.push(`${text}\n`),
      read: async () => stdin,
    },
    // Of the log, as `preload.ts` sets it: the log is this process' own.
    { LOG_LEVEL: "error", LOG_FORMAT: "pretty", ...process.env, ...env },
  );
  return { status, out: out.join(""), err: err.join("") };
};

/** Its longest beginning that is a command. */
function nameOf(args: string[]): string {
  const names = COMMANDS.map(({ name }) => name).filter((name) =>
    `${args.join(" ")} `.startsWith(`${name} `),
  );
  return names.toSorted((a, b) => b.length - a.length)[0] ?? "";
}
