import { Ellipsis, KeyRound, Shield, ShieldOff, UserCheck, UserX } from "lucide";
import { useState } from "preact/hooks";
import type { AdminUser, PasswordWasReset } from "../../../../src/wire/admin.ts";
import { store, toast } from "../../app.ts";
import { Menu, type MenuItem } from "../../parts/menu.tsx";
import { Once } from "../../parts/once.tsx";
import { nameOf } from "../../parts/person.tsx";
import { Confirm } from "../confirm.tsx";
import { say } from "./say.ts";

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
      {items.length > 0 && <Menu icon={Ellipsis} label={`Actions for ${name}`} items={items} />}
      {asking === "deactivate" && (
        <Confirm
          title={`Deactivate ${name}?`}
          text={`${name} is signed out everywhere at once and cannot sign in until you reactivate the account. What was written stays.`}
          action="Deactivate"
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await act("deactivate");
            toast(`${name} is deactivated.`, () => say(act("reactivate"), `${name} is active.`));
          }}
        />
      )}
      {asking === "password" && (
        <Confirm
          title={`Make a new password for ${name}?`}
          text={`${name} is signed out everywhere. You see the new password once, to hand it on.`}
          action="Make a password"
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            const made = await store.api.post<PasswordWasReset>(`${path}/reset-password`);
            setPassword(made.password);
          }}
        />
      )}
      {password !== null && (
        <Once
          title={`A new password for ${name}`}
          text="Hand it on in a safe way, and ask for it to be changed. It is not shown again."
          label="Password"
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
    label: "New password",
    icon: KeyRound,
    onSelect: () => ask("password"),
  };
  if (!user.is_active) {
    const undo = () => say(act("deactivate"), `${name} is deactivated.`);
    return [
      {
        label: "Reactivate",
        icon: UserCheck,
        onSelect: () => say(act("reactivate"), `${name} is active.`, undo),
      },
      reset,
    ];
  }
  const rank: MenuItem = user.is_site_admin
    ? {
        label: "Take administration away",
        icon: ShieldOff,
        onSelect: () =>
          say(act("demote"), `${name} is no administrator any more.`, () =>
            say(act("promote"), `${name} is an administrator.`),
          ),
      }
    : {
        label: "Make administrator",
        icon: Shield,
        onSelect: () =>
          say(act("promote"), `${name} is an administrator.`, () =>
            say(act("demote"), `${name} is no administrator any more.`),
          ),
      };
  return [
    rank,
    reset,
    { label: "Deactivate", icon: UserX, danger: true, onSelect: () => ask("deactivate") },
  ];
}
