import { Ellipsis, KeyRound, LifeBuoy, Shield, ShieldOff, UserCheck, UserX } from "lucide";
import { useState } from "preact/hooks";
import type { AdminUser } from "../../../src/wire/admin.ts";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { OneTimeSecret } from "../parts/one-time-secret.tsx";
import { nameOf } from "../session/person.tsx";
import { store } from "../session/store.ts";
import { askToConfirm } from "../session/overlay.ts";
import { reportOutcome, showToast } from "../session/toasts.ts";
import { t } from "../words/translate.ts";

type PersonMenuProps = { user: AdminUser; onChanged(user: AdminUser): void };

/** The actions on an account. Those that sign someone out ask first; the others can be undone. */
export function PersonMenu({ user, onChanged }: PersonMenuProps) {
  const [password, setPassword] = useState<string | null>(null);
  const name = nameOf(user);
  const params = { id: user.id };
  const act = async (action: PersonAction) =>
    onChanged(await store.call(`POST /api/admin/users/:id/${action}`, { params }));
  const keepPassword = async (keeps_password: boolean) =>
    onChanged(await store.call("PATCH /api/admin/users/:id", { params, body: { keeps_password } }));
  const ask = {
    deactivate: () =>
      askToConfirm({
        title: t("people.deactivate-title", { name }),
        text: t("people.deactivate-text", { name }),
        action: t("people.deactivate"),
        onConfirm: async () => {
          await act("deactivate");
          showToast(t("people.is-deactivated", { name }), () =>
            reportOutcome(act("reactivate"), () => t("people.is-active", { name })),
          );
        },
      }),
    password: () =>
      askToConfirm({
        title: t("people.reset-title", { name }),
        text: t("people.reset-text", { name }),
        action: t("people.reset-password"),
        onConfirm: async () => {
          const reset = await store.call("POST /api/admin/users/:id/reset-password", {
            params,
          });
          setPassword(reset.password);
        },
      }),
    factor: () =>
      askToConfirm({
        title: t("people.reset-factor-title", { name }),
        text: t("people.reset-factor-text", { name }),
        action: t("people.reset-factor"),
        onConfirm: async () => {
          await act("reset-second-factor");
          showToast(t("people.factor-reset", { name }));
        },
      }),
  };
  const items = [...emergencyItemsFor(user, keepPassword), ...menuItemsFor(user, act, ask)];
  return (
    <>
      {items.length > 0 && (
        <Menu icon={Ellipsis} label={t("actions-for", { name })} items={items} />
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

type PersonAction = "deactivate" | "reactivate" | "promote" | "demote" | "reset-second-factor";

/** Keeps an administrator's password where a provider is exclusive, also the reader's own. */
function emergencyItemsFor(
  user: AdminUser,
  keepPassword: (keeps: boolean) => Promise<void>,
): MenuItem[] {
  if (!user.is_site_admin && !user.keeps_password) return [];
  const name = nameOf(user);
  const describe = (keeps: boolean) => () =>
    t(keeps ? "people.keeps-password" : "people.keeps-no-password", { name });
  const keeps = user.keeps_password;
  const undo = () => reportOutcome(keepPassword(keeps), describe(keeps));
  return [
    {
      label: t(keeps ? "people.drop-password" : "people.keep-password"),
      icon: LifeBuoy,
      onSelect: () => reportOutcome(keepPassword(!keeps), describe(!keeps), undo),
    },
  ];
}

function menuItemsFor(
  user: AdminUser,
  act: (action: PersonAction) => Promise<void>,
  ask: Record<"deactivate" | "password" | "factor", () => void>,
): MenuItem[] {
  const name = nameOf(user);
  // Administrators can't lock themselves out. They change their own password in the profile.
  if (user.id === store.me.value?.id) return [];
  const reset: MenuItem = {
    label: t("people.reset-password"),
    icon: KeyRound,
    onSelect: ask.password,
  };
  const factor: MenuItem[] = user.has_second_factor
    ? [{ label: t("people.reset-factor"), icon: ShieldOff, onSelect: ask.factor }]
    : [];
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
      ...factor,
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
    ...factor,
    {
      label: t("people.deactivate"),
      icon: UserX,
      danger: true,
      onSelect: ask.deactivate,
    },
  ];
}
