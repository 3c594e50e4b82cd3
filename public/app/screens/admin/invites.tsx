import { Ellipsis, RotateCw, X } from "lucide";
import { useState } from "preact/hooks";
import type { Invite, InviteStatus, SentInvite } from "../../../../src/wire/admin.ts";
import { store, toast } from "../../app.ts";
import { Select } from "../../parts/field.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Once } from "../../parts/once.tsx";
import { nameOf } from "../../parts/person.tsx";
import { fullTimeOf } from "../../parts/times.ts";
import { type Pages, usePages } from "../../parts/use-pages.ts";
import { Confirm } from "../confirm.tsx";
import { InviteForm } from "./invite-form.tsx";
import { say } from "./say.ts";

const STATUSES: [string, string][] = [
  ["", "All invites"],
  ["pending", "Pending"],
  ["accepted", "Accepted"],
  ["expired", "Expired"],
  ["revoked", "Revoked"],
];

/** Who was asked to come, and what became of it. */
export function Invites() {
  const [status, setStatus] = useState("");
  const [handOn, setHandOn] = useState<SentInvite | null>(null);
  const pages = usePages<Invite>("/api/admin/invites", { status });
  /** Says that a mail is on its way, or shows the link where none goes out. */
  const onSent = async (sent: SentInvite) => {
    if (sent.link) setHandOn(sent);
    else toast(`The mail to ${sent.email} is on its way.`);
    await pages.reload();
  };
  return (
    <>
      <h2>Invites</h2>
      <InviteForm onSent={onSent} />
      <Select label="Show" value={status} options={STATUSES} onValue={setStatus} />
      <Listing
        label="Invites"
        pages={pages}
        empty={status ? "No such invite." : "Nobody was invited yet. The form above does it."}
        keyOf={(invite) => invite.id}
      >
        {(invite) => <InviteRow invite={invite} pages={pages} onSent={onSent} />}
      </Listing>
      {handOn?.link && (
        <Once
          title="Hand this link on"
          text={`No mail goes out here. Whoever opens the link within seven days makes the account of ${handOn.email}. It is not shown again.`}
          label="Signup link"
          value={handOn.link}
          onClose={() => setHandOn(null)}
        />
      )}
    </>
  );
}

type RowProps = { invite: Invite; pages: Pages<Invite>; onSent(sent: SentInvite): Promise<void> };

function InviteRow({ invite, pages, onSent }: RowProps) {
  const [asking, setAsking] = useState(false);
  const path = `/api/admin/invites/${invite.id}`;
  const resend = async () => onSent(await store.api.post<SentInvite>(`${path}/resend`));
  const isOpen = invite.status === "pending" || invite.status === "expired";
  return (
    <>
      <div class="grow">
        <p class="truncate">
          <b>{invite.email}</b>
        </p>
        <p class="muted small truncate">{story(invite)}</p>
      </div>
      <span class="tag">{invite.status satisfies InviteStatus}</span>
      {isOpen && (
        <Menu
          icon={Ellipsis}
          label={`Actions for ${invite.email}`}
          items={[
            {
              label: "Send again",
              icon: RotateCw,
              onSelect: () => say(resend(), "The link before is void."),
            },
            { label: "Revoke", icon: X, danger: true, onSelect: () => setAsking(true) },
          ]}
        />
      )}
      {asking && (
        <Confirm
          title={`Revoke the invite of ${invite.email}?`}
          text="The link that was sent does not work any more. You can invite the person anew."
          action="Revoke"
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await store.api.delete(path);
            await pages.reload();
            toast(`The invite of ${invite.email} is revoked.`);
          }}
        />
      )}
    </>
  );
}

function story({ invited_by, created_at, status, expires_at, accepted_at }: Invite): string {
  const who = invited_by ? nameOf(invited_by) : "the command line";
  const end =
    status === "accepted" && accepted_at
      ? `accepted ${fullTimeOf(accepted_at)}`
      : status === "pending"
        ? `good until ${fullTimeOf(expires_at)}`
        : `made ${fullTimeOf(created_at)}`;
  return `By ${who} · ${end}`;
}
