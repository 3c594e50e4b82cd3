import { CircleAlert, CircleCheck } from "lucide";
import type { Overview } from "../../../src/wire/admin.ts";
import { Icon } from "../parts/icon.tsx";
import { describeMailFailure } from "./test-email.tsx";
import { t } from "../words/translate.ts";

type Need = { text: string; href: string; action: string };

/** Things that need an administrator, each with a link to where it is done. */
function listNeeds({ sends_mail, mail_failure, jobs, webhooks, people }: Overview): Need[] {
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
  if (people.active === 1)
    needs.push({
      text: t("overview.alone"),
      href: "/admin/invites",
      action: t("overview.invite"),
    });
  return needs;
}

/** What needs an administrator, or that nothing does. */
export function Attention({ overview }: { overview: Overview }) {
  const needs = listNeeds(overview);
  return (
    <section class="form">
      <h3>{t("overview.attention")}</h3>
      {needs.length === 0 && (
        <p class="row">
          <Icon of={CircleCheck} /> {t("overview.all-well")}
        </p>
      )}
      <ul class="list">
        {needs.map(({ text, href, action }) => (
          <li key={href}>
            <Icon of={CircleAlert} />
            <span class="grow words">{text}</span>
            <a class="button" href={href}>
              {action}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
