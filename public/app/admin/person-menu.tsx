import { Ellipsis, KeyRound, Shield, ShieldOff, UserCheck, UserX } from "lucide";
import { useState } from "preact/hooks";
import type { AdminUser } from "../../../src/wire/admin.ts";
import { store } from "../session/store.ts";
import { reportOutcome, showToast } from "../session/toasts.ts";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { OneTimeSecret } from "../parts/one-time-secret.tsx";
import { nameOf } from "../parts/person.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { t } from "../words/translate.ts";

type Action = "deactivate" | "reactivate" | "promote" | "demote";
type PersonMenuProps = { user: AdminUser; onChanged(user: AdminUser): void };

/** The actions on an account: those that sign someone out ask first, the others can be undone. */
export function PersonMenu({ user, onChanged }: PersonMenuProps) {
  const [asking, setAsking] = useState<"deactivate" | "password" | null>(null);
  const [password, setPassword] = useState<string | null>(null);
  const name = nameOf(user);
  const params = { id: user.id };
  const act = async (action: Action) =>
    onChanged(await store.api.call(`POST /api/admin/users/:id/${action}`, { params }));
  const items = menuItemsFor(user, act, setAsking);
  return (
    <>
      {items.length > 0 && (
        <Menu icon={Ellipsis} label={t("admin.actions", { name })} items={items} />
      )}
      {asking === "deactivate" && (
        <Confirm
          title={t("people.deactivate-title", { name })}
          text={t("people.deactivate-text", { name })}
          action={t("people.deactivate")}
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await act("deactivate");
            showToast(t("people.is-deactivated", { name }), () =>
              reportOutcome(act("reactivate"), () => t("people.is-active", { name })),
            );
          }}
        />
      )}
      {asking === "password" && (
        <Confirm
          title={t("people.reset-title", { name })}
          text={t("people.reset-text", { name })}
          action={t("people.reset-action")}
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            const reset = await store.api.call("POST /api/admin/users/:id/reset-password", {
              params,
            });
            setPassword(reset.password);
          }}
        />
      )}
      {password !== null && (
        <OneTimeSecret
          title={t("people.new-password", { name })}
          text={t("people.new-password-text")}
          label={t("password")}
          value={password}
          onClose={() => setPassword(null)}
        />
      )}
    </>
  );
}

function menuItemsFor(
  user: AdminUser,
  act: (action: Action) => Promise<void>,
  ask: (what: "deactivate" | "password") => void,
): MenuItem[] {
  const name = nameOf(user);
  // Administrators can't lock themselves out. They change their own password in the profile.
  if (user.id === store.me.value?.id) return [];
  const reset: MenuItem = {
    label: t("people.reset-password"),
    icon: KeyRound,
    onSelect: () => ask("password"),
  };
  if (!user.is_active) {
    const undo = () => reportOutcome(act("deactivate"), () => t("people.is-deactivated", { name }));
    return [
      {
        label: t("people.reactivate"),
        icon: UserCheck,
        onSelect: () =>
          reportOutcome(act("reactivate"), () => t("people.is-active", { name }), undo),
      },
      reset,
    ];
  }
  const isAdmin = () => t("people.is-admin", { name });
  const isNoAdmin = () => t("people.is-no-admin", { name });
  const role: MenuItem = user.is_site_admin
    ? {
        label: t("people.demote"),
        icon: ShieldOff,
        onSelect: () =>
          reportOutcome(act("demote"), isNoAdmin, () => reportOutcome(act("promote"), isAdmin)),
      }
    : {
        label: t("people.promote"),
        icon: Shield,
        onSelect: () =>
          reportOutcome(act("promote"), isAdmin, () => reportOutcome(act("demote"), isNoAdmin)),
      };
  return [
    role,
    reset,
    {
      label: t("people.deactivate"),
      icon: UserX,
      danger: true,
      onSelect: () => ask("deactivate"),
    },
  ];
}
