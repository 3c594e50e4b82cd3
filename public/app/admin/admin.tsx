import {
  ArrowLeft,
  Bot,
  DoorOpen,
  HardDriveUpload,
  IdCard,
  KeyRound,
  LayoutDashboard,
  ListX,
  Mail,
  MailPlus,
  Rows3,
  ScrollText,
  Users,
  Webhook,
} from "lucide";
import type { ComponentType } from "preact";
import { Boundary } from "../session/boundary.tsx";
import { PageLinks, PageTabs } from "../parts/page-links.tsx";
import { PHONE, useMedia } from "../parts/use-media.ts";
import type { AdminPage } from "../state/route.ts";
import { useScreenTitle } from "../session/navigation.ts";
import { Icon } from "../parts/icon.tsx";
import { UnreadBadge } from "../parts/unread-badge.tsx";
import { news } from "../session/sidebar-items.ts";
import { store } from "../session/store.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { OverviewPage } from "./overview.tsx";
import { Setup } from "./setup.tsx";
import { TeamPage } from "./team.tsx";
import { AuditLog } from "./audit-log.tsx";
import { Bots } from "./bots.tsx";
import { Email } from "./email.tsx";
import { Invites } from "./invites.tsx";
import { Jobs } from "./jobs.tsx";
import { People } from "./people.tsx";
import { Rooms } from "./rooms.tsx";
import { StartSections } from "./start-sections.tsx";
import { SignInPart } from "./sign-in-settings.tsx";
import { Uploads } from "./upload-settings.tsx";
import { Webhooks } from "./webhooks.tsx";
import { t } from "../words/translate.ts";

const PARTS: [Exclude<AdminPage, "setup">, typeof Users, ComponentType][] = [
  ["overview", LayoutDashboard, OverviewPage],
  ["team", IdCard, TeamPage],
  ["people", Users, People],
  ["rooms", DoorOpen, Rooms],
  ["sections", Rows3, StartSections],
  ["invites", MailPlus, Invites],
  ["bots", Bot, Bots],
  ["webhooks", Webhook, Webhooks],
  ["signin", KeyRound, SignInPart],
  ["email", Mail, Email],
  ["uploads", HardDriveUpload, Uploads],
  ["jobs", ListX, Jobs],
  ["audit", ScrollText, AuditLog],
];
/** The headings before the first page of a group; the pages of the team need none. */
const HEADINGS: Partial<Record<AdminPage, "admin.connections" | "admin.system">> = {
  bots: "admin.connections",
  uploads: "admin.system",
};

/**
 * The administration. Its code is loaded by administrators only. A phone shows the list of its pages,
 * or one of them.
 */
export function Admin({ part: openPart }: { part: AdminPage | null }) {
  const isPhone = useMedia(PHONE);
  const part = openPart ?? "overview";
  const isList = isPhone && openPart === null;
  useScreenTitle(part === "setup" || isList ? null : `${t(`admin.${part}`)} · ${t("admin.title")}`);
  if (part === "setup") return <Setup />;
  const pages = PARTS.map(([name, icon]) => {
    const heading = HEADINGS[name];
    const label = t(`admin.${name}`);
    return { href: `/admin/${name}`, icon, label, heading: heading && t(heading) };
  });
  if (isList) {
    return (
      <section class="pane">
        <PaneHead title={t("admin.title")} back="/you" />
        <div class="page grow scroll">
          <PageLinks pages={pages} />
        </div>
      </section>
    );
  }
  const Section = PARTS.find(([name]) => name === part)?.[2] ?? OverviewPage;
  return (
    <section class="pane">
      {isPhone ? (
        <PaneHead title={t(`admin.${part}`)} back="/admin" />
      ) : (
        <PaneHead title={t("admin.title")} />
      )}
      <div class="admin parted grid grow">
        {!isPhone && (
          <PageTabs label={t("admin.title")} pages={pages} current={`/admin/${part}`}>
            <BackToTeam />
          </PageTabs>
        )}
        <div class="part scroll" key={part}>
          <Boundary key={part}>
            <section class="card">
              <Section />
            </section>
          </Boundary>
        </div>
      </div>
    </section>
  );
}

/** Leads to the rooms, whose list gives way to the pages, with what is unread in them. */
function BackToTeam() {
  return (
    <a class="back room-link control muted rounded" href="/">
      <Icon of={ArrowLeft} />
      <span class="grow truncate">
        {t("admin.back", { team: store.team.value?.name ?? "Snug" })}
      </span>
      <UnreadBadge {...news.value} />
    </a>
  );
}
