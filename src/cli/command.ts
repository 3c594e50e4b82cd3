import type { Config } from "../config.ts";
import type { Database, Query, Transaction } from "../database/connect.ts";
import { withDatabase } from "../database/open.ts";
import { Refusal } from "../platform/refusal.ts";
import { listAllRooms } from "../rooms/read.ts";
import { MAX_PAGE } from "../wire/limits.ts";
import type { Page } from "../wire/models.ts";

export type Call = {
  args: string[];
  /** The first argument. */
  arg: string;
  options: Record<string, string | boolean | (string | boolean)[] | undefined>;
  config: Config;
  /** One sentence for each environment variable that is probably misspelt. */
  misspelt: string[];
  readPassword(): Promise<string>;
};

/** The output of a command: `json` with `--json`, otherwise `text`. With `failed` the exit status is 1. */
export type Result = { json: unknown; text: string; failed?: boolean };

export type Option = {
  /** The placeholder of the value, such as `<address>`; absent for a flag. */
  value?: string;
  multiple?: boolean;
  required?: boolean;
  help: string;
};

/** A command. Its usage, its `--help` and the list of commands follow from this. */
export type Command = {
  /** As it is typed: `user create`. */
  name: string;
  /**
   * Placeholders of its arguments, all required: `["<username>"]`. What `<job id>` stands for must be an
   * id, and `<on|off>` allows only these words, here and as the value of an option.
   */
  args?: string[];
  summary: string;
  /** `audited` commands write to the audit log; `operate` commands manage the service. */
  effect: "read" | "audited" | "operate";
  options?: Record<string, Option>;
  run(call: Call): Promise<Result>;
};

/** A call with wrong arguments or options: exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function textOf({ options }: Call, option: string): string | undefined {
  return options[option] === undefined ? undefined : String(options[option]);
}

/** A table with a row for each field. */
export function fieldsResult(json: object): Result {
  const rows = Object.entries(json).map(([key, value]) => [key, String(value ?? "-")]);
  return { json, text: formatTable(rows) };
}

export function inDatabase(
  work: (database: Database, call: Call) => Promise<Result>,
): Command["run"] {
  return (call) => withDatabase(call.config, (database) => work(database, call));
}

/** In one transaction. */
export function inTransaction(
  work: (tx: Transaction, call: Call) => Promise<Result>,
): Command["run"] {
  return inDatabase(({ db }, call) => db.transaction((tx) => work(tx, call)));
}

/** @param name the argument or option, for the error @throws UsageError */
export function parseCount(name: string, text: string, min: number, max: number): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= min && count <= max) return count;
  throw new UsageError(`${name} needs a number from ${min} to ${max}.`);
}

export function valuesOf(call: Call, option: string): string[] {
  return [call.options[option] ?? []].flat().map(String);
}

export async function readAllPages<T>(
  readPage: (page: { cursor?: string; limit: number }) => Promise<Page<T>>,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage({ limit: MAX_PAGE, cursor });
    items.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return items;
}

/** @returns a function that throws Refusal `room_not_found`; a name may begin with `#` */
export async function createRoomFinder(db: Query): Promise<(name: string) => string> {
  const ids = new Map((await listAllRooms(db)).map(({ id, name }) => [name, id]));
  return (text) => {
    const name = text.trim().replace(/^#/, "").toLowerCase();
    const id = ids.get(name);
    if (!id) throw new Refusal("room_not_found", `There is no room named ${name}.`);
    return id;
  };
}

export function formatCount(count: number, word: string, plural = `${word}s`): string {
  return `${count} ${count === 1 ? word : plural}`;
}

/** A table with a row for each item, or `emptyText`. */
export function listResult<T>(items: T[], emptyText: string, toRow: (item: T) => string[]): Result {
  return { json: items, text: items.length === 0 ? emptyText : formatTable(items.map(toRow)) };
}

export function formatTable(rows: string[][]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        // Text from other servers may contain terminal escape sequences.
        .map((cell, i) => cell.replaceAll(/\p{Cc}/gu, "\ufffd").padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
