import { useEffect, useState } from "preact/hooks";
import type { Session } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { askToConfirm } from "../session/overlay.ts";
import { showToast } from "../session/toasts.ts";
import { getAll } from "../connection/api.ts";
import { Button } from "../parts/button.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { formatAgo } from "../parts/times.ts";
import { useAction } from "../parts/use-action.ts";
import { RowText } from "../parts/row-text.tsx";
import { readBrowserName } from "./browser-name.ts";
import { t } from "../words/translate.ts";

export function Sessions() {
  const [sessions, setSessions] = useState<Session[]>([]);
  const action = useAction();
  const load = () =>
    action.run(async () => {
      const all = await getAll(store.api, "GET /api/auth/me/sessions");
      setSessions(all.toSorted((a, b) => Number(b.is_current) - Number(a.is_current)));
    });
  useEffect(() => void load(), []);
  const end = (id: string) =>
    action.run(async () => {
      await store.call("DELETE /api/auth/me/sessions/:id", { params: { id } });
      await load();
      showToast(t("sessions.ended"));
    });
  const endOthers = async () => {
    await store.call("DELETE /api/auth/me/sessions");
    await load();
    showToast(t("sessions.others-ended"));
  };
  const askToEndOthers = () =>
    askToConfirm({
      title: t("sessions.end-others-title"),
      text: t("sessions.end-others-text"),
      action: t("sessions.end-others"),
      onConfirm: endOthers,
    });
  return (
    <section class="card">
      <h2>{t("sessions.title")}</h2>
      <ul class="list">
        {sessions.map((session) => (
          <li key={session.id}>
            <RowText
              title={describeBrowser(session.user_agent)}
              tags={session.is_current && <span class="tag">{t("sessions.this")}</span>}
              more={
                <p class="muted small">
                  {session.is_current ? (
                    t("sessions.now")
                  ) : (
                    <TimeAgo at={session.last_seen_at}>
                      {t("last-active", { when: formatAgo(session.last_seen_at) })}
                    </TimeAgo>
                  )}
                </p>
              }
            >
              {describe(session)}
            </RowText>
            {!session.is_current && (
              <Button kind="bare" onClick={() => void end(session.id)}>
                {t("sign-out")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {sessions.length > 1 && (
        <div class="actions">
          <Button kind="danger" onClick={askToEndOthers}>
            {t("sessions.end-others")}
          </Button>
        </div>
      )}
    </section>
  );
}

/** How the session began, and its most recent network. */
function describe({ method, provider, address }: Session): string {
  const name = method === "provider" ? provider : null;
  const began = name ?? t(method === "passkey" ? "sessions.passkey" : "password");
  return address ? `${began} · ${address}` : began;
}

/** A short description by which people recognize a browser. */
function describeBrowser(userAgent: string | null): string {
  const { browser, system } = readBrowserName(userAgent ?? "");
  if (browser && system) return t("sessions.browser", { browser, system });
  return browser ?? system ?? t("sessions.unknown");
}
