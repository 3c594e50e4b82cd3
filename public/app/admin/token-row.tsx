import { useState } from "preact/hooks";
import type { ApiToken } from "../../../src/wire/admin.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { Button } from "../parts/button.tsx";
import { visuallyHidden } from "../parts/visually-hidden.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { agoOf, fullTimeOf } from "../parts/times.ts";
import { tRich, t } from "../words/translate.ts";
import { Confirm } from "../parts/confirm.tsx";
import { RowText } from "../parts/row-text.tsx";

type TokenRowProps = { botId: string; token: ApiToken; onRevoked(): void };

/** One of a bot's tokens. */
export function TokenRow({ botId, token, onRevoked }: TokenRowProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <RowText title={token.name} hint={<code>…{token.last4}</code>} wraps>
        {token.scopes.join(", ") || t("tokens.no-scope")} ·{" "}
        {token.last_used_at ? (
          <TimeAgo at={token.last_used_at}>
            {t("tokens.used", { when: agoOf(token.last_used_at) })}
          </TimeAgo>
        ) : (
          t("tokens.not-used")
        )}
        {token.expires_at && ` · ${t("tokens.expires-at", { when: fullTimeOf(token.expires_at) })}`}
      </RowText>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {tRich("tokens.revoke-one", { name: token.name, hidden: visuallyHidden })}
      </Button>
      {asking && (
        <Confirm
          title={t("tokens.revoke-title", { name: token.name })}
          text={t("tokens.revoke-text")}
          action={t("tokens.revoke")}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await store.call("DELETE /api/admin/bots/:id/tokens/:token_id", {
              params: { id: botId, token_id: token.id },
            });
            onRevoked();
            showToast(t("tokens.revoke-done", { name: token.name }));
          }}
        />
      )}
    </>
  );
}
