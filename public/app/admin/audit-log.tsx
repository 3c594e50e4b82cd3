import { ScrollText, SquareTerminal } from "lucide";
import { useState } from "preact/hooks";
import { fillPath } from "../../../src/snug-client/calls.ts";
import type { AuditRow } from "../../../src/wire/admin.ts";
import { SETUP_STEPS } from "../../../src/wire/limits.ts";
import { Empty } from "../parts/empty.tsx";
import { Field, Select } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Listing } from "../parts/listing.tsx";
import { Avatar, nameOf } from "../session/person.tsx";
import { sizeOf } from "../parts/sizes.ts";
import { TimeAgo } from "../parts/time-ago.tsx";
import { formatWhen, fullTimeOf } from "../parts/times.ts";
import { usePages } from "../session/use-pages.ts";
import { t, tIfKnown } from "../words/translate.ts";
import { describeJob } from "./jobs.tsx";

const CATEGORIES = [
  ["", "audit.everything"],
  ["user.", "admin.people"],
  ["room.", "admin.rooms"],
  ["invite.", "admin.invites"],
  ["invite_link.", "links.title"],
  ["bot.", "admin.bots"],
  ["token.", "tokens.title"],
  ["provider.", "providers.title"],
  ["settings.", "audit.settings"],
  ["job.", "overview.jobs"],
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
      <h2 class="not-on-phone">{t("admin.audit")}</h2>
      <p class="muted small">{t("audit.text")}</p>
      <div class="link-fields row wrap">
        <Field label={t("audit.from")} type="date" value={from} onValue={setFrom} />
        <Field label={t("audit.until")} type="date" value={to} onValue={setTo} />
        <Select
          label={t("audit.category")}
          value={action}
          options={CATEGORIES.map(([prefix, key]) => [prefix, t(key)])}
          onValue={setAction}
        />
        <a
          class="button"
          href={csv}
          download="audit-log.csv"
          aria-label={t("audit.download")}
          data-tooltip={t("audit.download")}
        >
          {t("audit.csv")}
        </a>
      </div>
      <Listing<FoldedRow>
        label={t("admin.audit")}
        pages={{ ...pages, items: pages.items && foldRows(pages.items) }}
        empty={
          <Empty
            icon={ScrollText}
            title={t(action || from || to ? "audit.none" : "audit.none-yet")}
          />
        }
        keyOf={(row) => row.id}
      >
        {(row) => <Row row={row} />}
      </Listing>
    </>
  );
}

/** A row, and how many equal ones it stands for, if more than one. */
type FoldedRow = AuditRow & { count?: number };

/** Joins consecutive equal rows. The newest, which comes first, provides the time. */
function foldRows(rows: AuditRow[]): FoldedRow[] {
  const folded: FoldedRow[] = [];
  const contentOf = (row: AuditRow) =>
    JSON.stringify({ ...row, id: undefined, created_at: undefined, count: undefined });
  for (const row of rows) {
    const last = folded.at(-1);
    if (last && contentOf(last) === contentOf(row)) last.count = (last.count ?? 1) + 1;
    else folded.push({ ...row });
  }
  return folded;
}

/** An entry may have many lines. */
const AT_TOP = { alignItems: "start" };

function Row({ row }: { row: FoldedRow }) {
  const sentences = describeTeamChange(row);
  const details =
    sentences.length > 0
      ? []
      : Object.entries(row.details)
          .filter(isShown)
          .map(([name, value]) => describeDetail(name, value));
  if (row.ip) details.push(t("audit.ip", { ip: row.ip }));
  if (row.count) details.unshift(t("audit.count", { count: row.count }));
  return (
    <div class="row gap-12 full" style={AT_TOP}>
      {row.actor ? (
        <Avatar user={row.actor} size={32} />
      ) : (
        <span class="command-line grid rigid middle round">
          <Icon of={SquareTerminal} />
        </span>
      )}
      <div class="grow">
        {(sentences.length > 0 ? sentences : [describeAction(row)]).map((sentence) => (
          <p key={sentence} class="words">
            {sentence}
          </p>
        ))}
        <p class="muted small words">
          <TimeAgo at={row.created_at}>{formatWhen(row.created_at)}</TimeAgo>
          {details.map((detail) => ` · ${detail}`)}
        </p>
      </div>
    </div>
  );
}

/** A sentence for each field of the team that changed; none for other actions. */
function describeTeamChange({ actor, action, details }: AuditRow): string[] {
  if (action !== "settings.team") return [];
  const who = nameOfActor(actor);
  const { name, logo, setup_step: step } = details;
  const sentences: string[] = [];
  if (typeof name === "string") sentences.push(t("audited.team.name", { who, name }));
  if (name === null) sentences.push(t("audited.team.no-name", { who }));
  if (logo === "changed") sentences.push(t("audited.team.logo", { who }));
  if (logo === "removed") sentences.push(t("audited.team.no-logo", { who }));
  if (typeof step === "number") {
    const isComplete = step >= SETUP_STEPS;
    sentences.push(
      isComplete
        ? t("audited.team.set-up", { who })
        : t("audited.team.step", { who, step: step + 1 }),
    );
  }
  return sentences;
}

const nameOfActor = (actor: AuditRow["actor"]) => (actor ? nameOf(actor) : t("audit.command-line"));

/** An action as a sentence, or by its name if a newer version recorded it. */
function describeAction({ actor, action, target_name }: AuditRow) {
  const actorName = nameOfActor(actor);
  const name = target_name ?? "";
  // The target's name is then the kind of the job.
  const target = action === "job.retry" ? describeJob(name) : name;
  const sentence = tIfKnown(`audited.${action}`, { who: actorName, what: target });
  return sentence ?? t("audited.other", { who: actorName, action, what: target });
}

/**
 * Hides details that mean nothing to a reader: ids, flags that most accounts lack, and empty
 * values.
 */
function isShown([name, value]: [string, unknown]): boolean {
  if (name.endsWith("_id") || name === "setup_step" || name === "state") return false;
  if (name === "is_site_admin") return value === true;
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}

/** A detail in words, or by its name if a newer version recorded it. */
function describeDetail(name: string, value: unknown): string {
  const phrase = tIfKnown(`audit-count.${name}`, { count: Number(value) });
  if (phrase) return phrase;
  const text = tIfKnown(`audit-detail.${name}`, {});
  const label = text ?? name.replace(/^is_/, "").replaceAll("_", " ");
  return `${label}: ${formatDetail(name, value)}`;
}

function formatDetail(name: string, value: unknown): string {
  if (typeof value === "boolean") return t(value ? "audit.yes" : "audit.no");
  if (name === "max_bytes") return sizeOf(Number(value));
  if (name.endsWith("_at") || name.endsWith("_since")) return fullTimeOf(String(value));
  if (name === "room_ids" && Array.isArray(value)) return String(value.length);
  return formatValue(value);
}

function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(formatValue).join(", ");
  if (typeof value !== "object" || value === null)
    return tIfKnown(`audit-value.${String(value).replaceAll(" ", "-")}`, {}) ?? String(value);
  if ("name" in value) return String(value.name);
  return JSON.stringify(value);
}

/** The start of a day in the reader's time zone, `later` days after the named day. */
function startOf(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return day === "" ? "" : new Date(year, month - 1, date + later).toISOString();
}
