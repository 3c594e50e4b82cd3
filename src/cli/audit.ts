import { requireUser } from "../users/users.ts";
import { AUDIT_ACTIONS } from "../audit/write.ts";
import { readAuditRows } from "../admin/audit-log.ts";
import { withDatabase } from "../database/open.ts";
import { type Command, listResult, parseCount, textOf, UsageError } from "./command.ts";

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
  run: (call) => {
    const limit = parseCount("--limit", textOf(call, "limit") ?? `${DEFAULT_ROWS}`, 1, MAX_ROWS);
    const username = textOf(call, "actor");
    const action = textOf(call, "action");
    if (action !== undefined) requireAction(action);
    const filter = { action, from: textOf(call, "from"), to: textOf(call, "to") };
    return withDatabase(call.config, async ({ db }) => {
      const actor = username === undefined ? undefined : await requireUser(db, { username });
      const rows = await readAuditRows(db, { ...filter, actor_id: actor?.id }, limit);
      return listResult(rows, "Nothing.", (row) => [
        row.created_at,
        row.actor?.username ?? "command line",
        row.action,
        row.target_name ?? "",
        JSON.stringify(row.details),
      ]);
    });
  },
};

/** @throws UsageError unless `text` is an action, or the start of one up to its dot */
function requireAction(text: string): void {
  const [targetType = ""] = text.split(".");
  const relatedActions = AUDIT_ACTIONS.filter((action) => action.startsWith(`${targetType}.`));
  if (AUDIT_ACTIONS.some((action) => action === text)) return;
  if (text === `${targetType}.` && relatedActions.length > 0) return;
  const choices =
    relatedActions.length > 0
      ? relatedActions
      : [...new Set(AUDIT_ACTIONS.map((action) => action.replace(/[^.]*$/, "")))];
  throw new UsageError(`--action ${text} is unknown: use one of: ${choices.join(", ")}`);
}

export const auditCommands: Command[] = [list];
