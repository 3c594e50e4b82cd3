import type { ComponentChildren } from "preact";
import type { Overview } from "../../../src/wire/admin.ts";
import { store } from "../session/store.ts";
import { Loaded } from "../parts/loaded.tsx";
import { sizeOf } from "../parts/sizes.ts";
import { formatAgo, fullTimeOf } from "../parts/times.ts";
import { getNumberFormat } from "../words/intl.ts";
import { currentLocale, t } from "../words/translate.ts";
import { CircleAlert, CircleCheck } from "lucide";
import { Icon } from "../parts/icon.tsx";
import { describeMailFailure } from "./email.tsx";

/** How much the service stores, and what needs an administrator. */
export function OverviewPage() {
  return (
    <>
      <h2 class="not-on-phone">{t("admin.overview")}</h2>
      <Loaded load={() => store.call("GET /api/admin/overview")} height={288}>
        {(overview) => (
          <>
            <Attention overview={overview} />
            <Numbers overview={overview} />
            <p class="muted small">
              {t("overview.version")} {overview.version} ·{" "}
              <a href="/docs" target="_blank" rel="noopener">
                {t("overview.docs")}
              </a>
            </p>
          </>
        )}
      </Loaded>
    </>
  );
}

function Numbers({ overview }: { overview: Overview }) {
  const { people, rooms, messages, storage, directs, jobs, invites, last_backup_at } = overview;
  const n = (count: number) => getNumberFormat(currentLocale()).format(count);
  /** Estimates are rounded, so that they do not look exact. */
  const about = (count: number, isEstimate: boolean) => {
    if (!isEstimate) return n(count);
    const rounded = getNumberFormat(currentLocale(), { maximumSignificantDigits: 2 }).format(count);
    return t("overview.about", { count: rounded });
  };
  return (
    <dl class="numbers columns">
      <Figure name={t("admin.people")} value={n(people.active)}>
        {t("overview.people", {
          online: people.online,
          bots: people.bots,
          deactivated: people.deactivated,
        })}
      </Figure>
      <Figure name={t("admin.rooms")} value={n(rooms.active)}>
        {t("overview.archived", { count: rooms.archived })}
      </Figure>
      <Figure name={t("overview.messages")} value={about(messages.count, messages.is_estimate)}>
        {t("overview.last-week", {
          count: about(messages.last_week, messages.is_last_week_estimate),
        })}
      </Figure>
      <Figure name={t("overview.directs")} value={n(directs.count)}>
        {t("overview.directs-size", { size: sizeOf(directs.bytes) })}
      </Figure>
      <Figure name={t("overview.storage")} value={sizeOf(storage.bytes)}>
        {t("overview.storage-text")}
      </Figure>
      <Figure name={t("admin.invites")} value={n(invites.pending)}>
        {t("overview.pending")}
      </Figure>
      <Figure name={t("overview.jobs")} value={n(jobs.waiting)}>
        {t("overview.waiting")}
      </Figure>
      <Figure name={t("overview.backup")} value={last_backup_at ? formatAgo(last_backup_at) : "–"}>
        {last_backup_at && fullTimeOf(last_backup_at)}
      </Figure>
    </dl>
  );
}

type FigureProps = { name: string; value: string; children: ComponentChildren };

function Figure({ name, value, children }: FigureProps) {
  return (
    <div class="outlined stack gap-4">
      <dt class="muted small strong">{name}</dt>
      <dd class="figure bold digits words">{value}</dd>
      <dd class="muted small">{children}</dd>
    </div>
  );
}

type Need = {
  text: string;
  href: string;
  action: string;
  /** Whether the link leads out of the client. */
  isElsewhere?: boolean;
};

/** What needs an administrator, each with a link to the page for it. */
function listNeeds(overview: Overview): Need[] {
  const { sends_mail, mail_failure, jobs, webhooks, people, last_backup_at } = overview;
  const needs: Need[] = [];
  if (mail_failure)
    needs.push({
      text: describeMailFailure(mail_failure),
      href: "/admin/email",
      action: t("overview.see-mail"),
    });
  if (jobs.failed > 0)
    needs.push({
      text: t("overview.failed-jobs", { count: jobs.failed }),
      href: "/admin/jobs",
      action: t("overview.see-jobs"),
    });
  if (webhooks.disabled > 0)
    needs.push({
      text: t("overview.disabled-webhooks", { count: webhooks.disabled }),
      href: "/admin/webhooks",
      action: t("overview.see-webhooks"),
    });
  if (!sends_mail)
    needs.push({
      text: t("overview.no-mail"),
      href: "/admin/email",
      action: t("overview.set-up-mail"),
    });
  if (!last_backup_at)
    needs.push({
      text: t("overview.no-backups"),
      href: "/docs/backup",
      action: t("overview.set-up-backups"),
      isElsewhere: true,
    });
  if (people.active === 1)
    needs.push({
      text: t("overview.alone"),
      href: "/admin/invites",
      action: t("invite-people"),
    });
  return needs;
}

/** On a phone, where both don't fit into a line. */
const ABOVE_ITS_LINK = { flexBasis: "280px" };
/** 24 px high, and 44 px for a finger. */
const LINK_SIZE = { paddingBlock: "4px", "--reach": "-10px 0" };
/** The text and its link are in the middle of a line of that height. */
const BESIDE_THE_LINK = { paddingTop: "3px" };

function Attention({ overview }: { overview: Overview }) {
  const needs = listNeeds(overview);
  return (
    <section class="stack gap-16">
      <h3>{t("overview.attention")}</h3>
      {needs.length === 0 && (
        <p class="row">
          <Icon of={CircleCheck} /> {t("overview.all-well")}
        </p>
      )}
      <ul class="list">
        {needs.map(({ text, href, action, isElsewhere }) => (
          <li key={href}>
            <p class="grow status">
              <span class="danger" style={BESIDE_THE_LINK}>
                <Icon of={CircleAlert} />
              </span>
              <span class="grow row wrap">
                <span class="grow words" style={ABOVE_ITS_LINK}>
                  {text}
                </span>
                <a
                  class="link small reach"
                  style={LINK_SIZE}
                  href={href}
                  target={isElsewhere ? "_blank" : undefined}
                >
                  {action}
                </a>
              </span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
