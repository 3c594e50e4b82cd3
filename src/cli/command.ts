import type { ParseArgsOptionsConfig } from "node:util";
import type { Config } from "../config.ts";

/** What a command is given: its words, its options, the settings and a way to ask for a password. */
export type Call = {
  words: string[];
  options: Record<string, string | boolean | (string | boolean)[] | undefined>;
  config: Config;
  /** The first line of standard input. */
  readPassword(): Promise<string>;
};

/** What a command answers: `json` is printed with `--json`, else `text`. */
export type Result = { json: unknown; text: string; failed?: boolean };

export type Command = {
  /** As it is typed: `user create`. */
  name: string;
  /** What stands behind the name: `<username> --email <address>`. */
  usage: string;
  summary: string;
  /** Lines of `--help` about options. */
  help?: [option: string, meaning: string][];
  /** How many words it takes behind its name. */
  words: number;
  options?: ParseArgsOptionsConfig;
  run(call: Call): Promise<Result>;
};

/** Thrown for a call that is not of the command's form: exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The first word of a call; the number of words was checked. */
export function firstWord(call: Call): string {
  return call.words[0] ?? "";
}

/** Lines up in columns of even width. */
export function table(rows: string[][]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
