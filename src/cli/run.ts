import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { readConfig } from "../config.ts";
import { explain } from "../explain.ts";
import { configureLog } from "../platform/log.ts";
import { botCommands } from "./bots.ts";
import { type Command, UsageError } from "./command.ts";
import { demo } from "./demo/demo.ts";
import { inviteCommands } from "./invite.ts";
import { operateCommands } from "./operate.ts";
import { roomCommands } from "./rooms.ts";
import { secretsRotate } from "./secrets.ts";
import { userCommands } from "./users.ts";

export const COMMANDS: Command[] = [
  ...userCommands,
  ...inviteCommands,
  ...botCommands,
  ...roomCommands,
  secretsRotate,
  ...operateCommands,
  demo,
];
const GENERAL: ParseArgsOptionsConfig = {
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
};

/** Words that ask for help where a command could stand. */
const HELP = new Set(["--help", "-h", "help"]);

export type Streams = {
  out(text: string): void;
  err(text: string): void;
  readPassword(): Promise<string>;
};

/**
 * Runs one command.
 * @param args what stands behind `bun cli.ts`
 * @returns the exit status: 0 done, 1 refused, 2 wrong use
 */
export async function run(args: string[], streams: Streams): Promise<number> {
  const command = findCommand(args);
  if (!command) return overview(args, streams);
  try {
    const { values, positionals } = parse(command, args.slice(command.name.split(" ").length));
    if (values.help) {
      streams.out(helpOf(command));
      return 0;
    }
    if (positionals.length !== command.words) {
      throw new UsageError(`Usage: bun cli.ts ${command.name} ${command.usage}`);
    }
    const config = readConfig();
    configureLog(config.log);
    const { readPassword } = streams;
    const result = await command.run({ words: positionals, options: values, config, readPassword });
    streams.out(values.json ? JSON.stringify(result.json, null, 2) : result.text);
    return result.failed ? 1 : 0;
  } catch (error) {
    streams.err(explainUse(error) ?? explain(error));
    return explainUse(error) === null ? 1 : 2;
  }
}

function parse(command: Command, args: string[]) {
  return parseArgs({
    args,
    options: { ...GENERAL, ...command.options },
    allowPositionals: true,
    strict: true,
  });
}

/** What `parseArgs` or a command says of a call that is not of its form; null for other errors. */
function explainUse(error: unknown): string | null {
  if (error instanceof UsageError) return error.message;
  const { code, message } = error as { code?: unknown; message?: string };
  if (typeof code !== "string" || !code.startsWith("ERR_PARSE_ARGS")) return null;
  return `${message} Add --help to see what it takes.`;
}

/** The command with the most words that the call begins with: `invite list` before `invite`. */
function findCommand(args: string[]): Command | undefined {
  const isCalled = ({ name }: Command) => name.split(" ").every((word, i) => args[i] === word);
  return COMMANDS.filter(isCalled).toSorted((a, b) => b.name.length - a.name.length)[0];
}

/** Answers a call that names no command: all commands, those of a group, or what is wrong. */
function overview(args: string[], { out, err }: Streams): number {
  const [first, ...rest] = args;
  const asksForHelp = rest.every((word) => HELP.has(word));
  if (first === undefined || HELP.has(first)) {
    out(commandList(COMMANDS));
    return 0;
  }
  const group = COMMANDS.filter((command) => command.name.startsWith(`${first} `));
  if (group.length > 0 && asksForHelp) {
    out(commandList(group));
    return 0;
  }
  err(
    group.length > 0
      ? `Commands: ${group.map((command) => command.name).join(", ")}.`
      : `There is no command ${first}. Run bun cli.ts to list them.`,
  );
  return 2;
}

function commandList(commands: Command[]): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  const lines = commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`);
  return [
    "Usage: bun cli.ts <command> [--json] [--help]",
    "",
    ...lines,
    "",
    "bun cli.ts <command> --help explains one. It works beside a running service and without one.",
  ].join("\n");
}

function helpOf({ name, usage, summary, help = [] }: Command): string {
  const options: [string, string][] = [...help, ["--json", "print the result as JSON"]];
  const width = Math.max(...options.map(([option]) => option.length));
  const lines = options.map(([option, meaning]) => `  ${option.padEnd(width)}  ${meaning}`);
  const also = COMMANDS.filter((command) => command.name.startsWith(`${name} `));
  const more = also.length > 0 ? ["", `See also: ${also.map((one) => one.name).join(", ")}.`] : [];
  const head = [`bun cli.ts ${name} ${usage}`.trimEnd(), "", `  ${summary}`, ""];
  return [...head, ...lines, ...more].join("\n");
}
