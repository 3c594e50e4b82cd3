import { parseArgs, type ParseArgsOptionsConfig } from "node:util";
import { findMisspeltSettings, readConfig } from "../config.ts";
import type { Environment } from "../platform/process/environment.ts";
import { explainError } from "../explain.ts";
import { PROGRAM } from "../platform/process/installation.ts";
import { configureLog } from "../platform/log.ts";
import { UUID_PATTERN } from "../wire/patterns.ts";
import { auditCommands } from "./audit.ts";
import { backupCommands } from "./backup.ts";
import { botCommands } from "./bots.ts";
import { type Command, UsageError } from "./command.ts";
import { formatCommandList, formatHelp, formatOption, formatUsage } from "./help.ts";
import { inviteCommands, inviteLinkCommands } from "./invites.ts";
import { oidcCommands } from "./oidc.ts";
import { operateCommands } from "./operate.ts";
import { roomCommands } from "./rooms.ts";
import { secretsRotate } from "./secrets.ts";
import { settingsCommands } from "./settings.ts";
import { userCommands } from "./users.ts";

export const COMMANDS: Command[] = [
  ...userCommands,
  ...oidcCommands,
  ...inviteCommands,
  ...inviteLinkCommands,
  ...botCommands,
  ...roomCommands,
  ...settingsCommands,
  ...auditCommands,
  secretsRotate,
  ...backupCommands,
  ...operateCommands,
];

const HELP = new Set(["--help", "-h", "help"]);
const VERSION_FLAGS = new Set(["--version", "-v", "-V"]);

type Streams = {
  out(text: string): void;
  err(text: string): void;
  read(): Promise<string>;
};

/** @returns the exit status: 0 success, 1 failed or refused, 2 wrong usage */
export async function runCommand(
  argv: string[],
  streams: Streams,
  env?: Environment,
): Promise<number> {
  const [first = "", ...rest] = argv;
  if (VERSION_FLAGS.has(first)) return runCommand(["version", ...rest], streams, env);
  const command = findCommand(argv);
  if (!command) return runWithoutCommand(argv, streams);
  try {
    const { values: options, positionals: args } = parseOptions(command, argv);
    if (options.help) {
      streams.out(formatHelp(command, COMMANDS.filter(startsWith(`${command.name} `))));
      return 0;
    }
    checkArgs(command, args);
    checkOptions(command, options);
    const config = readConfig(env);
    configureLog(config.log);
    const readPassword = async () => (await streams.read()).split(/\r?\n/)[0] ?? "";
    const cleanArgs = args.map((arg, i) => (isId(command.args?.[i]) ? arg.toLowerCase() : arg));
    const result = await command.run({
      args: cleanArgs,
      arg: cleanArgs[0] ?? "",
      options,
      config,
      misspelt: findMisspeltSettings(env),
      readPassword,
    });
    streams.out(options.json ? JSON.stringify(result.json, null, 2) : result.text);
    return result.failed ? 1 : 0;
  } catch (error) {
    const usage = explainUsage(error);
    const message = usage ?? explainError(error);
    streams.err(formatError(message, argv));
    return usage === null ? 1 : 2;
  }
}

function formatError(error: string, argv: string[]): string {
  return argv.includes("--json") ? JSON.stringify({ error }) : error;
}

function parseOptions({ name, options = {} }: Command, argv: string[]) {
  const optionConfig: ParseArgsOptionsConfig = {
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  };
  for (const [option, { value, multiple = false }] of Object.entries(options)) {
    optionConfig[option] = { type: value === undefined ? "boolean" : "string", multiple };
  }
  const args = argv.slice(name.split(" ").length);
  return parseArgs({ args, options: optionConfig, allowPositionals: true, strict: true });
}

function checkArgs(command: Command, args: string[]): void {
  const placeholders = command.args ?? [];
  if (args.length !== placeholders.length) {
    throw new UsageError(`Usage: ${PROGRAM} ${formatUsage(command)}`);
  }
  for (const [i, placeholder] of placeholders.entries()) {
    const arg = args[i] ?? "";
    if (isId(placeholder) && !new RegExp(UUID_PATTERN).test(arg.toLowerCase())) {
      throw new UsageError(`${arg} is not an id: the list command shows the ids.`);
    }
    const words = wordsOf(placeholder);
    if (words && !words.includes(arg)) throw new UsageError(`Use ${formatWords(words)}.`);
  }
}

function checkOptions(command: Command, options: Record<string, unknown>): void {
  for (const [name, option] of Object.entries(command.options ?? {})) {
    const value = options[name];
    if (value === undefined && option.required) {
      throw new UsageError(`${command.name} needs ${formatOption(name, option)}.`);
    }
    const words = value === undefined ? null : wordsOf(option.value);
    if (words && !words.includes(String(value))) {
      throw new UsageError(`--${name} needs ${formatWords(words)}.`);
    }
  }
}

function isId(placeholder = ""): boolean {
  return placeholder.endsWith(" id>");
}

/** The words of a placeholder such as `<on|off>`; null if it stands for any text. */
function wordsOf(placeholder = ""): string[] | null {
  return placeholder.includes("|") ? placeholder.slice(1, -1).split("|") : null;
}

function formatWords(words: string[]): string {
  return new Intl.ListFormat("en", { type: "disjunction" }).format(words);
}

/** The message for wrong arguments or options; null for other errors. */
function explainUsage(error: unknown): string | null {
  if (error instanceof UsageError) return error.message;
  const { code, message } = error as { code?: unknown; message?: string };
  if (typeof code !== "string" || !code.startsWith("ERR_PARSE_ARGS")) return null;
  return `${message} Add --help for its options.`;
}

/** The longest command name that the arguments start with: `invite list` before `invite`. */
function findCommand(argv: string[]): Command | undefined {
  const isCalled = ({ name }: Command) => name.split(" ").every((word, i) => argv[i] === word);
  return COMMANDS.filter(isCalled).toSorted((a, b) => b.name.length - a.name.length)[0];
}

function runWithoutCommand(argv: string[], { out, err }: Streams): number {
  const [first, ...rest] = argv;
  if (first === undefined || HELP.has(first)) {
    out(formatCommandList(COMMANDS));
    return 0;
  }
  const group = COMMANDS.filter(startsWith(`${first} `));
  if (group.length > 0 && rest.every((word) => HELP.has(word))) {
    out(formatCommandList(group));
    return 0;
  }
  const message =
    group.length > 0
      ? `Commands: ${group.map((command) => command.name).join(", ")}.`
      : `There is no command ${first}. Run ${PROGRAM} --help to list them.`;
  err(formatError(message, argv));
  return 2;
}

function startsWith(prefix: string) {
  return ({ name }: Command) => name.startsWith(prefix);
}
