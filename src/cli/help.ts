import { PROGRAM } from "../platform/process/installation.ts";
import type { Command, Option } from "./command.ts";

/** Formats a usage line: `user create <username> --email <address> [--admin]`. */
export function formatUsage({ name, args = [], options = {} }: Command): string {
  const parts = Object.entries(options).map(([option, { required, multiple, ...rest }]) => {
    const text = formatOption(option, rest);
    return (required ? text : `[${text}]`) + (multiple ? "..." : "");
  });
  return [name, ...args, ...parts].join(" ");
}

export function formatCommandList(commands: Command[]): string {
  const rows = commands.map(({ name, summary }): [string, string] => [name, summary]);
  return [
    `Usage: ${PROGRAM} <command> [--json] [--help]`,
    "",
    ...formatRows(rows),
    "",
    `Run \`${PROGRAM} <command> --help\` for details. Commands work with or without a running service.`,
  ].join("\n");
}

/** @param relatedCommands commands that start with the same words */
export function formatHelp(command: Command, relatedCommands: Command[]): string {
  const rows = Object.entries(command.options ?? {}).map(
    ([option, definition]): [string, string] => [
      formatOption(option, definition),
      definition.help + (definition.required ? " (required)" : ""),
    ],
  );
  return [
    `${PROGRAM} ${formatUsage(command)}`,
    "",
    `  ${command.summary}`,
    "",
    ...formatRows([...rows, ["--json", "print the result as JSON"]]),
    ...(relatedCommands.length > 0
      ? ["", `See also: ${relatedCommands.map(({ name }) => name).join(", ")}.`]
      : []),
  ].join("\n");
}

/** An option as the usage shows it: `--name <text>`. */
export function formatOption(name: string, { value }: Pick<Option, "value">): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function formatRows(rows: [string, string][]): string[] {
  const width = Math.max(...rows.map(([term]) => term.length));
  return rows.map(([term, description]) => `  ${term.padEnd(width)}  ${description}`);
}
