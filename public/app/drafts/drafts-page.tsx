import { CalendarClock, Pencil } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Empty } from "../parts/empty.tsx";
import { FilterBar } from "../parts/filter-bar.tsx";
import { SkeletonList } from "../parts/skeleton.tsx";
import { ListPage } from "../session/list-page.tsx";
import { store } from "../session/store.ts";
import { deviceDrafts } from "../session/write-draft.ts";
import type { DraftMark } from "../state/model/draft-copy.ts";
import { t } from "../words/translate.ts";
import { DraftRow } from "./draft-row.tsx";
import { ScheduledRow } from "./scheduled-row.tsx";

type Filter = "all" | "drafts" | "scheduled";

/** My drafts, my scheduled messages, and those that could not be sent. */
export function Drafts() {
  const [filter, setFilter] = useState<Filter>("all");
  const { scheduled } = store.state.value.personal;
  const drafts = useDrafts();
  const all = Object.values(scheduled ?? {}).sort((a, b) => (a.send_at < b.send_at ? -1 : 1));
  const failures = filter === "drafts" ? [] : all.filter(({ state }) => state === "failed");
  const waiting = filter === "drafts" ? [] : all.filter(({ state }) => state === "waiting");
  const shownDrafts = filter === "scheduled" ? [] : drafts;
  const isEmpty = shownDrafts.length + failures.length + waiting.length === 0;
  return (
    <ListPage
      title={t("drafts.title")}
      text={t("drafts.text")}
      isBusy={!scheduled}
      filters={
        <FilterBar<Filter>
          label={t("drafts.title")}
          value={filter}
          onValue={(value) => setFilter(value)}
          filters={[
            { value: "all", label: t("filter.all") },
            { value: "drafts", label: t("shell.drafts") },
            { value: "scheduled", label: t("scheduled.title") },
          ]}
        />
      }
    >
      {!scheduled && <SkeletonList />}
      {scheduled && isEmpty && <NoDrafts filter={filter} />}
      {failures.length > 0 && (
        <Section title={t("scheduled.failed")}>
          {failures.map((failure) => (
            <ScheduledRow key={failure.id} scheduled={failure} />
          ))}
        </Section>
      )}
      {scheduled && !isEmpty && filter !== "drafts" && (
        <Section title={t("scheduled.title")} empty={t("scheduled.none")}>
          {waiting.map((entry) => (
            <ScheduledRow key={entry.id} scheduled={entry} />
          ))}
        </Section>
      )}
      {scheduled && !isEmpty && filter !== "scheduled" && (
        <Section title={t("shell.drafts")} empty={t("drafts.none")}>
          {shownDrafts.map((draft) => (
            <DraftRow key={draft.key} draft={draft} />
          ))}
        </Section>
      )}
    </ListPage>
  );
}

function NoDrafts({ filter }: { filter: Filter }) {
  return filter === "scheduled" ? (
    <Empty icon={CalendarClock} title={t("scheduled.none")} text={t("scheduled.none-text")} />
  ) : (
    <Empty icon={Pencil} title={t("drafts.none")} text={t("drafts.none-text")} />
  );
}

/** The drafts of this device, the most recently written first. Another tab may change them. */
function useDrafts(): DraftMark[] {
  const device = deviceDrafts.value;
  const [, setChanges] = useState(0);
  useEffect(() => device.watch(() => setChanges((count) => count + 1)), [device]);
  const at = ({ key }: DraftMark) => device.read(key).at;
  const { drafts } = store.state.value.personal;
  return Object.values(drafts ?? {}).sort((a, b) => (at(a) < at(b) ? 1 : -1));
}

type SectionProps = { title: string; empty?: string; children: ComponentChildren[] };

function Section({ title, empty, children }: SectionProps) {
  return (
    <section>
      <h2>{title}</h2>
      {children.length === 0 && <p class="muted small">{empty}</p>}
      <ul class="list" aria-label={title}>
        {children}
      </ul>
    </section>
  );
}
