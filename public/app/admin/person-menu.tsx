import { Ellipsis } from "lucide";
import { useState } from "preact/hooks";
import type { AdminUser } from "../../../src/wire/admin.ts";
import { store } from "../session/store.ts";
import { reportOutcome, showToast } from "../session/toasts.ts";
import { Menu } from "../parts/menu.tsx";
import {
  emergencyItemsFor,
  menuItemsFor,
  type PersonAction,
  type PersonQuestion,
} from "./person-items.ts";
import { OneTimeSecret } from "../parts/one-time-secret.tsx";
import { nameOf } from "../session/person.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { t } from "../words/translate.ts";

type PersonMenuProps = { user: AdminUser; onChanged(user: AdminUser): void };

/** The actions on an account: those that sign someone out ask first, the others can be undone. */
export function PersonMenu({ user, onChanged }: PersonMenuProps) {
  const [asking, setAsking] = useState<PersonQuestion | null>(null);
  const [password, setPassword] = useState<string | null>(null);
  const name = nameOf(user);
  const params = { id: user.id };
  const act = async (action: PersonAction) =>
    onChanged(await store.call(`POST /api/admin/users/:id/${action}`, { params }));
  const keepPassword = async (keeps_password: boolean) =>
    onChanged(await store.call("PATCH /api/admin/users/:id", { params, body: { keeps_password } }));
  const items = [...emergencyItemsFor(user, keepPassword), ...menuItemsFor(user, act, setAsking)];
  return (
    <>
      {items.length > 0 && (
        <Menu icon={Ellipsis} label={t("actions-for", { name })} items={items} />
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
      {asking === "factor" && (
        <Confirm
          title={t("people.reset-factor-title", { name })}
          text={t("people.reset-factor-text", { name })}
          action={t("people.reset-factor")}
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await act("reset-second-factor");
            showToast(t("people.factor-reset", { name }));
          }}
        />
      )}
      {asking === "password" && (
        <Confirm
          title={t("people.reset-title", { name })}
          text={t("people.reset-text", { name })}
          action={t("people.reset-password")}
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            const reset = await store.call("POST /api/admin/users/:id/reset-password", {
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
