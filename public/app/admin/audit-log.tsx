import { Download } from "lucide";
import { useState } from "preact/hooks";
import { fillPath } from "../../../src/snug-client/calls.ts";
import type { AuditRow } from "../../../src/wire/admin.ts";
import { Field, Select } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Listing } from "../parts/listing.tsx";
import { nameOf } from "../parts/person.tsx";
import { fullTimeOf } from "../parts/times.ts";
import { usePages } from "../session/use-pages.ts";
import { t } from "../words/translate.ts";

const CATEGORIES = [
  ["", "audit.everything"],
  ["user.", "admin.people"],
  ["room.", "admin.rooms"],
  ["invite.", "admin.invites"],
  ["bot.", "admin.bots"],
  ["token.", "audit.tokens"],
  ["settings.", "audit.settings"],
  ["job.", "audit.jobs"],
] as const;

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
  const details = Object.entries(row.details);
  return (
    <div class="grow">
      <p class="words">
        <b dir="auto">{row.actor ? nameOf(row.actor) : t("audit.command-line")}</b>{" "}
        <code class="action">{row.action}</code> {row.target_name}
      </p>
      {details.length > 0 && (
        <p class="small words">
          {details.map(([name, value]) => `${name}: ${formatValue(value)}`).join(" · ")}
        </p>
      )}
      <p class="muted small">
        {fullTimeOf(row.created_at)}
        {row.ip && ` · ${t("audit.ip", { ip: row.ip })}`}
      </p>
    </div>
  );
}

function formatValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** When a day begins in the reader's time zone, or the day `later` days after it. */
function startOf(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return day === "" ? "" : new Date(year, month - 1, date + later).toISOString();
}
