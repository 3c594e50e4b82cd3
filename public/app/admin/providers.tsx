import { CircleAlert, CircleCheck, Ellipsis, KeyRound, Pencil, PlugZap, Trash2 } from "lucide";
import { useState } from "preact/hooks";
import type { IdentityProvider, ProviderTest } from "../../../src/wire/providers.ts";
import { store } from "../session/store.ts";
import { askToConfirm } from "../session/overlay.ts";
import { showError, showToast } from "../session/toasts.ts";
import { usePages } from "../session/use-pages.ts";
import { Button } from "../parts/button.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Empty } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";
import { Listing } from "../parts/listing.tsx";
import { Menu, type MenuItem } from "../parts/menu.tsx";
import { Notice } from "../parts/notice.tsx";
import { RowText } from "../parts/row-text.tsx";
import { ProviderForm } from "./provider-form.tsx";
import { t, tRich } from "../words/translate.ts";

type Open =
  | { does: "add" }
  | { does: "edit"; provider: IdentityProvider }
  | { does: "test"; provider: IdentityProvider; result: ProviderTest };

/** @param emergencyAccounts how many administrators keep a password */
export function Providers({ emergencyAccounts }: { emergencyAccounts: number }) {
  const pages = usePages("GET /api/admin/identity-providers");
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const askTest = (provider: IdentityProvider) =>
    store.call("POST /api/admin/identity-providers/:id/test", { params: { id: provider.id } });
  const test = async (provider: IdentityProvider) =>
    setOpen({ does: "test", provider, result: await askTest(provider) });
  /**
   * Reports what is wrong with a provider that was just saved, unless another dialog is open by
   * then.
   */
  const testSaved = async (provider: IdentityProvider) => {
    const result = await askTest(provider);
    if (!result.ok) setOpen((current) => current ?? { does: "test", provider, result });
  };
  const remove = (provider: IdentityProvider) =>
    askToConfirm({
      title: t("remove-title", { name: provider.name }),
      text: t("providers.remove-text"),
      action: t("action.remove"),
      onConfirm: async () => {
        const params = { id: provider.id };
        await store.call("DELETE /api/admin/identity-providers/:id", { params });
        showToast(t("providers.removed", { name: provider.name }));
        await pages.reload();
      },
    });
  const menuOf = (provider: IdentityProvider): MenuItem[] => [
    {
      label: t("edit"),
      icon: Pencil,
      onSelect: () => setOpen({ does: "edit", provider }),
    },
    {
      label: t("providers.test"),
      icon: PlugZap,
      onSelect: () => void test(provider).catch(showError),
    },
    ...(provider.is_from_environment
      ? []
      : [
          {
            label: t("action.remove"),
            icon: Trash2,
            danger: true,
            onSelect: () => remove(provider),
          },
        ]),
  ];
  const saved = async (provider: IdentityProvider) => {
    close();
    showToast(t("providers.saved", { name: provider.name }));
    if (provider.is_enabled) void testSaved(provider).catch(showError);
    await pages.reload();
  };
  const add = (
    <Button kind="primary" onClick={() => setOpen({ does: "add" })}>
      {t("providers.add")}
    </Button>
  );
  return (
    <>
      <h3>{t("providers.title")}</h3>
      <p class="muted small">{t("providers.text")}</p>
      <Notice isWarning={emergencyAccounts === 0}>
        {emergencyAccounts > 0
          ? t("policy.emergency", { count: emergencyAccounts })
          : tRich("policy.no-emergency", {
              link: (inner) => <a href="/admin/people">{inner}</a>,
            })}
      </Notice>
      <Listing
        label={t("providers.title")}
        pages={pages}
        empty={
          <Empty icon={KeyRound} title={t("providers.none")}>
            {add}
          </Empty>
        }
        keyOf={({ id }) => id}
      >
        {(provider) => (
          <>
            <RowText
              title={provider.name}
              more={
                provider.is_from_environment && (
                  <p class="muted small">{t("providers.from-environment")}</p>
                )
              }
            >
              {provider.issuer}
            </RowText>
            {!provider.is_enabled && <span class="tag">{t("is-off")}</span>}
            {provider.is_exclusive && <span class="tag">{t("providers.is-only")}</span>}
            <Menu
              icon={Ellipsis}
              label={t("actions-for", { name: provider.name })}
              items={menuOf(provider)}
            />
          </>
        )}
      </Listing>
      {pages.items && !pages.isEmpty && <div class="actions">{add}</div>}
      {open?.does === "add" && <ProviderForm provider={null} onClose={close} onSaved={saved} />}
      {open?.does === "edit" && (
        <ProviderForm provider={open.provider} onClose={close} onSaved={saved} />
      )}
      {open?.does === "test" && (
        <TestResult name={open.provider.name} result={open.result} onClose={close} />
      )}
    </>
  );
}

type TestResultProps = { name: string; result: ProviderTest; onClose(): void };

function TestResult({ name, result, onClose }: TestResultProps) {
  return (
    <Dialog title={t("providers.test-title", { name })} onClose={onClose}>
      <p>{t(result.ok ? "providers.test-ok" : "providers.test-failed")}</p>
      <ul class="list">
        {result.checks.map(({ check, ok, detail, issuer }) => (
          <li key={check}>
            <span class={ok ? "muted" : "error small"}>
              <Icon of={ok ? CircleCheck : CircleAlert} />
            </span>
            <div class="grow">
              <p>{check}</p>
              <p class={ok ? "muted small words" : "error small words"}>{detail}</p>
              {issuer !== undefined && (
                <CopyField label={t("providers.issuer-to-set")} value={issuer} />
              )}
            </div>
          </li>
        ))}
      </ul>
      <div class="actions">
        <Button kind="primary" autofocus onClick={onClose}>
          {t("done")}
        </Button>
      </div>
    </Dialog>
  );
}
