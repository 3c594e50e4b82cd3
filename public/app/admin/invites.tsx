import { Ellipsis, MailPlus, RotateCw, X } from "lucide";
import { useState } from "preact/hooks";
import type { Invite, InviteStatus, SentInvite } from "../../../src/wire/admin.ts";
import { store } from "../session/store.ts";
import { askToConfirm } from "../session/overlay.ts";
import { reportOutcome, showToast } from "../session/toasts.ts";
import { Empty } from "../parts/empty.tsx";
import { SelectInput } from "../parts/field.tsx";
import { Listing, type Pages } from "../parts/listing.tsx";
import { Menu } from "../parts/menu.tsx";
import { OneTimeSecret } from "../parts/one-time-secret.tsx";
import { nameOf } from "../session/person.tsx";
import { formatAgo, fullTimeOf } from "../parts/times.ts";
import { usePages } from "../session/use-pages.ts";
import { RowText } from "../parts/row-text.tsx";
import { InviteLinks } from "./invite-links.tsx";
import { InviteForm } from "./invite-form.tsx";
import { t } from "../words/translate.ts";

const STATUSES = [
  ["", "invites.all"],
  ["pending", "invites.pending"],
  ["accepted", "invites.accepted"],
  ["expired", "invites.expired"],
  ["revoked", "invites.revoked"],
] as const satisfies [InviteStatus | "", string][];

/** Invites by email, and links that several people may use. */
export function Invites() {
  const [status, setStatus] = useState<InviteStatus | "">("");
  const [sentLink, setSentLink] = useState<SentInvite | null>(null);
  const pages = usePages("GET /api/admin/invites", { query: { status: status || undefined } });
  const isNew = pages.isEmpty && !status;
  /** Confirms the email, or shows the link to pass on if no email is sent. */
  const onSent = async (sent: SentInvite) => {
    if (sent.link) setSentLink(sent);
    else showToast(t("invites.sent", { email: sent.email }));
    await pages.reload();
  };
  return (
    <>
      <h2 class="not-on-phone">{t("admin.invites")}</h2>
      <InviteLinks />
      <h3>{t("invites.by-email")}</h3>
      <InviteForm kind="quiet" onSent={onSent} />
      {pages.items && !isNew && (
        <>
          <h3>{t("invites.sent-title")}</h3>
          <div class="find-row row full">
            <SelectInput
              label={t("admin.show")}
              value={status}
              options={STATUSES.map(([value, key]) => [value, t(key)])}
              onValue={setStatus}
            />
          </div>
        </>
      )}
      <Listing
        label={t("admin.invites")}
        pages={pages}
        empty={status && <Empty icon={MailPlus} title={t("invites.none")} />}
        keyOf={(invite) => invite.id}
      >
        {(invite) => <InviteRow invite={invite} pages={pages} onSent={onSent} />}
      </Listing>
      {sentLink?.link && (
        <OneTimeSecret
          title={t("invites.copy-link")}
          text={t("invites.copy-link-text", { email: sentLink.email })}
          label={t("invites.link")}
          value={sentLink.link}
          onClose={() => setSentLink(null)}
        />
      )}
    </>
  );
}

type RowProps = { invite: Invite; pages: Pages<Invite>; onSent(sent: SentInvite): Promise<void> };

function InviteRow({ invite, pages, onSent }: RowProps) {
  const params = { id: invite.id };
  const resend = async () =>
    onSent(await store.call("POST /api/admin/invites/:id/resend", { params }));
  const isOpen = invite.status === "pending" || invite.status === "expired";
  const revoke = () =>
    askToConfirm({
      title: t("invites.revoke-title", { email: invite.email }),
      text: t("invites.revoke-text"),
      action: t("action.revoke"),
      onConfirm: async () => {
        await store.call("DELETE /api/admin/invites/:id", { params });
        await pages.reload();
        showToast(t("invites.revoke-done", { email: invite.email }));
      },
    });
  return (
    <>
      <RowText title={invite.email}>{describeInvite(invite)}</RowText>
      <span class="tag">{t("invites.is", { status: invite.status })}</span>
      {isOpen && (
        <Menu
          icon={Ellipsis}
          label={t("actions-for", { name: invite.email })}
          items={[
            {
              label: t("action.resend"),
              icon: RotateCw,
              onSelect: () => reportOutcome(resend(), () => t("invites.resent")),
            },
            {
              label: t("action.revoke"),
              icon: X,
              danger: true,
              onSelect: revoke,
            },
          ]}
        />
      )}
    </>
  );
}

function describeInvite({
  invited_by,
  created_at,
  status,
  expires_at,
  accepted_at,
}: Invite): string {
  const inviter = invited_by ? nameOf(invited_by) : t("invites.command-line");
  const what =
    status === "accepted" && accepted_at
      ? t("invites.was-accepted", { when: formatAgo(accepted_at) })
      : status === "pending"
        ? t("expires-at", { when: fullTimeOf(expires_at) })
        : t("invites.created", { when: fullTimeOf(created_at) });
  return t("invites.by", { who: inviter, what });
}
