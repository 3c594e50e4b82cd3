import { requireUser } from "../users/users.ts";
import { AUDIT_ACTIONS } from "../audit/write.ts";
import { readAuditRows } from "../admin/audit-log.ts";
import { withDatabase } from "../database/open.ts";
import { type Command, formatTable, parseCount, UsageError } from "./command.ts";

const DEFAULT_ROWS = 50;
const MAX_ROWS = 10_000;

const list: Command = {
  name: "audit",
  summary: "list what administrators and commands changed, the latest first",
  effect: "read",
  options: {
    actor: { value: "<username>", help: "only what this account did" },
    action: { value: "<action>", help: "an action, such as room.delete, or its first part: room." },
    from: { value: "<time>", help: "from this time on (RFC 3339)" },
    to: { value: "<time>", help: "up to this time" },
    limit: { value: "<number>", help: `at most this many (default: ${DEFAULT_ROWS})` },
  },
  run: ({ config, options }) => {
    const limit = parseCount("--limit", String(options.limit ?? DEFAULT_ROWS), 1, MAX_ROWS);
    if (options.action !== undefined) requireAction(String(options.action));
    const text = (name: string) =>
      options[name] === undefined ? {} : { [name]: String(options[name]) };
    const filter = { ...text("action"), ...text("from"), ...text("to") };
    return withDatabase(config, async ({ db }) => {
      const actor = options.actor === undefined ? null : String(options.actor);
      const by =
        actor === null ? {} : { actor_id: (await requireUser(db, { username: actor })).id };
      const rows = await readAuditRows(db, { ...filter, ...by }, limit);
      const lines = rows.map((row) => [
        row.created_at,
        row.actor?.username ?? "command line",
        row.action,
        row.target_name ?? "",
        JSON.stringify(row.details),
      ]);
      return { json: rows, text: rows.length === 0 ? "Nothing." : formatTable(lines) };
    });
  },
};

/** @throws UsageError unless `text` is an action, or the start of one up to its dot */
function requireAction(text: string): void {
  const [targetType = ""] = text.split(".");
  const related = AUDIT_ACTIONS.filter((action) => action.startsWith(`${targetType}.`));
  if (AUDIT_ACTIONS.some((action) => action === text)) return;
  if (text === `${targetType}.` && related.length > 0) return;
  const choices =
    related.length > 0
      ? related
      : [...new Set(AUDIT_ACTIONS.map((action) => action.replace(/[^.]*$/, "")))];
  throw new UsageError(`--action ${text} is unknown: use one of: ${choices.join(", ")}`);
}

export const auditCommands: Command[] = [list];
