import { Download } from "lucide";
import { useState } from "preact/hooks";
import { fillPath } from "../../../src/snug-client/calls.ts";
import type { AuditRow } from "../../../src/wire/admin.ts";
import { Field, Select } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Listing } from "../parts/listing.tsx";
import { nameOf } from "../session/person.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { usePages } from "../session/use-pages.ts";
import { t, tIfKnown } from "../words/translate.ts";

const CATEGORIES = [
  ["", "audit.everything"],
  ["user.", "admin.people"],
  ["room.", "admin.rooms"],
  ["invite.", "admin.invites"],
  ["invite_link.", "links.title"],
  ["bot.", "admin.bots"],
  ["token.", "audit.tokens"],
  ["provider.", "audit.providers"],
  ["settings.", "audit.settings"],
  ["job.", "audit.jobs"],
] as const;

/** The actions of administrators and of the command line, page by page, with an export of all. */
export function AuditLog() {
  const [action, setAction] = useState("");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const query = {
    action: action || undefined,
    from: startOf(from) || undefined,
    to: startOf(to, 1) || undefined,
  };
  const pages = usePages("GET /api/admin/audit-log", { query });
  const csv = fillPath("GET /api/admin/audit-log.csv", { query });
  return (
    <>
      <h2>{t("admin.audit")}</h2>
      <p class="muted small">{t("audit.text")}</p>
      <div class="filters">
        <Select
          label={t("audit.category")}
          value={action}
          options={CATEGORIES.map(([prefix, key]) => [prefix, t(key)])}
          onValue={setAction}
        />
        <Field label={t("audit.from")} type="date" value={from} onValue={setFrom} />
        <Field label={t("audit.until")} type="date" value={to} onValue={setTo} />
      </div>
      <div class="actions">
        <a class="button" href={csv} download="audit-log.csv">
          <Icon of={Download} />
          {t("audit.download")}
        </a>
      </div>
      <Listing
        label={t("admin.audit")}
        pages={pages}
        empty={t("audit.none")}
        keyOf={(row) => row.id}
      >
        {(row) => <Row row={row} />}
      </Listing>
    </>
  );
}

function Row({ row }: { row: AuditRow }) {
  const details = Object.entries(row.details).filter(([, value]) => !isEmpty(value));
  return (
    <div class="grow">
      <p class="words">{describeAction(row)}</p>
      {details.length > 0 && (
        <p class="muted small words">
          {details
            .map(([name, value]) => `${name.replaceAll("_", " ")}: ${formatValue(value)}`)
            .join(" · ")}
        </p>
      )}
      <p class="muted small">
        <TimeAgo at={row.created_at} />
        {row.ip && ` · ${t("audit.ip", { ip: row.ip })}`} · <code class="action">{row.action}</code>
      </p>
    </div>
  );
}

/** An action as a sentence; an action of a newer version by its name. */
function describeAction({ actor, action, target_name }: AuditRow) {
  const actorName = actor ? nameOf(actor) : t("audit.command-line");
  const what = target_name ?? "";
  const sentence = tIfKnown(`audited.${action}`, { who: actorName, what });
  return sentence ?? t("audited.other", { who: actorName, action, what });
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** When a day begins in the reader's time zone, `later` days after the named one. */
function startOf(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return day === "" ? "" : new Date(year, month - 1, date + later).toISOString();
}
