import type { InviteLink } from "../../../src/wire/admin.ts";
import {
  INVITE_LINK_DAYS,
  INVITE_LINK_USES,
  MAX_INVITE_LINK_DAYS,
  MAX_INVITE_LINK_USES,
} from "../../../src/wire/limits.ts";
import { store } from "../session/store.ts";
import { askToConfirm } from "../session/overlay.ts";
import { showToast } from "../session/toasts.ts";
import { usePages } from "../session/use-pages.ts";
import { Button } from "../parts/button.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { nameOf } from "../session/person.tsx";
import { atTime, fullTimeOf, shortDateOf } from "../parts/times.ts";
import { useForm } from "../parts/use-action.ts";
import { t } from "../words/translate.ts";

/**
 * Signup links that several people may use; those that are still valid can be copied again and
 * revoked.
 */
export function InviteLinks() {
  const pages = usePages("GET /api/admin/invite-links", {});
  const { values, action, field } = useForm({
    days: String(INVITE_LINK_DAYS),
    max_uses: String(INVITE_LINK_USES),
  });
  const create = async () => {
    const body = { days: Number(values.days), max_uses: Number(values.max_uses) };
    await store.call("POST /api/admin/invite-links", { body });
    await pages.reload();
  };
  return (
    <section class="form">
      <h3>{t("links.title")}</h3>
      <p class="muted small">{t("links.text")}</p>
      <Form action={action} onSubmit={create}>
        <div class="link-fields row wrap">
          <Field
            label={t("links.days")}
            type="number"
            min={1}
            max={MAX_INVITE_LINK_DAYS}
            {...field("days")}
            required
          />
          <Field
            label={t("links.uses")}
            type="number"
            min={1}
            max={MAX_INVITE_LINK_USES}
            {...field("max_uses")}
            required
          />
          <Button kind="primary" type="submit" busy={action.busy}>
            {t("links.create")}
          </Button>
        </div>
      </Form>
      <Listing label={t("links.title")} pages={pages} empty={null} keyOf={(link) => link.id}>
        {(link) => <LinkRow link={link} onRevoked={() => pages.reload()} />}
      </Listing>
    </section>
  );
}

type LinkRowProps = { link: InviteLink; onRevoked(): Promise<void> };

function LinkRow({ link, onRevoked }: LinkRowProps) {
  const { id, is_active, uses, max_uses, expires_at, created_at, created_by } = link;
  const revoke = () =>
    askToConfirm({
      title: t("links.revoke-title"),
      text: t("links.revoke-text"),
      action: t("action.revoke"),
      onConfirm: async () => {
        await store.call("DELETE /api/admin/invite-links/:id", { params: { id } });
        await onRevoked();
        showToast(t("links.revoke-done"));
      },
    });
  const what = t("invites.created", { when: atTime(created_at) });
  const name = t("invites.by", { who: nameOf(created_by), what });
  const button = is_active && (
    <Button kind="danger" onClick={revoke}>
      {t("action.revoke")}
    </Button>
  );
  const status = (
    <p class="muted small" data-tooltip={fullTimeOf(expires_at)}>
      {t("links.count", { uses, max: max_uses })} ·{" "}
      {is_active
        ? t("expires-at", { when: shortDateOf(new Date(expires_at)) })
        : t(link.revoked_at ? "links.revoked" : "links.ended")}
    </p>
  );
  return (
    <div class="link-card outlined grow stack">
      {link.link ? (
        <CopyField label={name} hint={status} value={link.link} button={button} />
      ) : (
        <>
          <p class="row between small strong">
            {name}
            {button}
          </p>
          {status}
        </>
      )}
    </div>
  );
}
