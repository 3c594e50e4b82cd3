import { KeyRound, LifeBuoy, Shield, ShieldOff, UserCheck, UserX } from "lucide";
import type { AdminUser } from "../../../src/wire/admin.ts";
import { store } from "../session/store.ts";
import { reportOutcome } from "../session/toasts.ts";
import type { MenuItem } from "../parts/menu.tsx";
import { nameOf } from "../session/person.tsx";
import { t } from "../words/translate.ts";

export type PersonAction =
  "deactivate" | "reactivate" | "promote" | "demote" | "reset-second-factor";
/** Actions that ask for confirmation. */
export type PersonQuestion = "deactivate" | "password" | "factor";

/**
 * Administrators, including the reader, may keep their password where a provider is the only way to
 * sign in, their own account included.
 */
export function emergencyItemsFor(
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

/** The actions that an administrator may take on an account. */
export function menuItemsFor(
  user: AdminUser,
  act: (action: PersonAction) => Promise<void>,
  ask: (question: PersonQuestion) => void,
): MenuItem[] {
  const name = nameOf(user);
  // Administrators can't lock themselves out. They change their own password in the profile.
  if (user.id === store.me.value?.id) return [];
  const reset: MenuItem = {
    label: t("people.reset-password"),
    icon: KeyRound,
    onSelect: () => ask("password"),
  };
  const factor: MenuItem[] = user.has_second_factor
    ? [{ label: t("people.reset-factor"), icon: ShieldOff, onSelect: () => ask("factor") }]
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
      onSelect: () => ask("deactivate"),
    },
  ];
}
