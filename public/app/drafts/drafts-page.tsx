import type { ComponentChildren } from "preact";
import { Empty } from "../parts/empty.tsx";
import { keeping } from "../session/kept-lists.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { t } from "../words/translate.ts";
import { DraftRow } from "./draft-row.tsx";
import { ScheduledRow } from "./scheduled-row.tsx";

/** My drafts, my scheduled messages, and those that could not be sent. */
export function Drafts() {
  const drafts = keeping.value?.drafts.entries.value ?? [];
  const scheduled = keeping.value?.scheduled.items.value;
  const all = [...(scheduled?.values() ?? [])].sort((a, b) => (a.send_at < b.send_at ? -1 : 1));
  const failures = all.filter(({ state }) => state === "failed");
  const waiting = all.filter(({ state }) => state === "waiting");
  const isEmpty = drafts.length + failures.length + waiting.length === 0;
  return (
    <section class="pane">
      <PaneHead title={t("shell.drafts")} text={t("drafts.text")} />
      <div class="page kept" aria-busy={!scheduled}>
        {!scheduled && <div class="skeleton" style={{ height: "144px" }} />}
        {scheduled && isEmpty && <Empty title={t("drafts.none")} text={t("drafts.none-text")} />}
        {failures.length > 0 && (
          <Section title={t("scheduled.failed")}>
            {failures.map((failure) => (
              <ScheduledRow key={failure.id} scheduled={failure} />
            ))}
          </Section>
        )}
        {scheduled && !isEmpty && (
          <Section title={t("scheduled.title")} empty={t("scheduled.none")}>
            {waiting.map((entry) => (
              <ScheduledRow key={entry.id} scheduled={entry} />
            ))}
          </Section>
        )}
        {scheduled && !isEmpty && (
          <Section title={t("shell.drafts")} empty={t("drafts.none")}>
            {drafts.map((entry) => (
              <DraftRow key={entry.key} entry={entry} />
            ))}
          </Section>
        )}
      </div>
    </section>
  );
}

type SectionProps = { title: string; empty?: string; children: ComponentChildren[] };

function Section({ title, empty, children }: SectionProps) {
  return (
    <section>
      <h2>{title}</h2>
      {children.length === 0 && <p class="muted">{empty}</p>}
      <ul class="list" aria-label={title}>
        {children}
      </ul>
    </section>
  );
}
