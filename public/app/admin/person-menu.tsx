import { Ellipsis, KeyRound, Shield, ShieldOff, UserCheck, UserX } from "lucide";
import { useState } from "preact/hooks";
import type { AdminUser, PasswordWasReset } from "../../../src/wire/admin.ts";
import { store, toast } from "../app.ts";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { Once } from "../parts/once.tsx";
import { nameOf } from "../parts/person.tsx";
import { Confirm } from "../shell/confirm.tsx";
import { report } from "../parts/report.ts";
import { say } from "../words/say.ts";

type Verb = "deactivate" | "reactivate" | "promote" | "demote";
type PersonMenuProps = { user: AdminUser; onChanged(user: AdminUser): void };

/** What can be done to an account. What signs someone out is asked first; the rest can be undone. */
export function PersonMenu({ user, onChanged }: PersonMenuProps) {
  const [asking, setAsking] = useState<"deactivate" | "password" | null>(null);
  const [password, setPassword] = useState<string | null>(null);
  const name = nameOf(user);
  const path = `/api/admin/users/${user.id}`;
  const act = async (verb: Verb) => onChanged(await store.api.post<AdminUser>(`${path}/${verb}`));
  const items = itemsFor(user, act, setAsking);
  return (
    <>
      {items.length > 0 && (
        <Menu icon={Ellipsis} label={say("admin.actions", { name })} items={items} />
      )}
      {asking === "deactivate" && (
        <Confirm
          title={say("people.deactivate-title", { name })}
          text={say("people.deactivate-text", { name })}
          action={say("people.deactivate")}
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await act("deactivate");
            toast(say("people.is-deactivated", { name }), () =>
              report(act("reactivate"), () => say("people.is-active", { name })),
            );
          }}
        />
      )}
      {asking === "password" && (
        <Confirm
          title={say("people.password-title", { name })}
          text={say("people.password-text", { name })}
          action={say("people.password-make")}
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            const made = await store.api.post<PasswordWasReset>(`${path}/reset-password`);
            setPassword(made.password);
          }}
        />
      )}
      {password !== null && (
        <Once
          title={say("people.password-made", { name })}
          text={say("people.password-hand-on")}
          label={say("password")}
          value={password}
          onClose={() => setPassword(null)}
        />
      )}
    </>
  );
}

function itemsFor(
  user: AdminUser,
  act: (verb: Verb) => Promise<void>,
  ask: (what: "deactivate" | "password") => void,
): MenuItem[] {
  const name = nameOf(user);
  // One cannot take one's own account away, and changes one's own password in the profile.
  if (user.id === store.me.value?.id) return [];
  const reset: MenuItem = {
    label: say("people.password"),
    icon: KeyRound,
    onSelect: () => ask("password"),
  };
  if (!user.is_active) {
    const undo = () => report(act("deactivate"), () => say("people.is-deactivated", { name }));
    return [
      {
        label: say("people.reactivate"),
        icon: UserCheck,
        onSelect: () => report(act("reactivate"), () => say("people.is-active", { name }), undo),
      },
      reset,
    ];
  }
  const isAdmin = () => say("people.is-admin", { name });
  const isNoAdmin = () => say("people.is-no-admin", { name });
  const rank: MenuItem = user.is_site_admin
    ? {
        label: say("people.demote"),
        icon: ShieldOff,
        onSelect: () => report(act("demote"), isNoAdmin, () => report(act("promote"), isAdmin)),
      }
    : {
        label: say("people.promote"),
        icon: Shield,
        onSelect: () => report(act("promote"), isAdmin, () => report(act("demote"), isNoAdmin)),
      };
  return [
    rank,
    reset,
    {
      label: say("people.deactivate"),
      icon: UserX,
      danger: true,
      onSelect: () => ask("deactivate"),
    },
  ];
}
