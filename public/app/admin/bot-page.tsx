import { ArrowLeft } from "lucide";
import { useState } from "preact/hooks";
import type { AdminUser, ApiToken, NewApiToken, UpdateBot } from "../../../src/wire/admin.ts";
import { MAX_DISPLAY_NAME_LENGTH } from "../../../src/wire/limits.ts";
import { store } from "../session/store.ts";
import { askToConfirm } from "../session/overlay.ts";
import { showToast } from "../session/toasts.ts";
import { Button, IconButton } from "../parts/button.tsx";
import { Field, Switch } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { OneTimeSecret } from "../parts/one-time-secret.tsx";
import { nameOf } from "../session/person.tsx";
import { useForm } from "../parts/use-action.ts";
import { usePages } from "../session/use-pages.ts";
import { BotScheduledList } from "./bot-scheduled.tsx";
import { NewToken } from "./new-token.tsx";
import { t, tRich } from "../words/translate.ts";
import { CopyField } from "../parts/copy-field.tsx";
import { Details } from "../parts/details.tsx";
import { visuallyHidden } from "../parts/visually-hidden.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { formatAgo, fullTimeOf } from "../parts/times.ts";
import { RowText } from "../parts/row-text.tsx";

type BotPageProps = { bot: AdminUser; onChanged(bot: AdminUser): void; onBack(): void };

/** A bot: its name, its tokens, what it has scheduled, and examples. */
export function BotPage({ bot, onChanged, onBack }: BotPageProps) {
  const [created, setCreated] = useState<NewApiToken | null>(null);
  const [isShowingToken, setShowingToken] = useState(false);
  const params = { id: bot.id };
  const tokens = usePages("GET /api/admin/bots/:id/tokens", { params });
  const scheduled = usePages("GET /api/admin/bots/:id/scheduled", { params });
  // Turning the bot off and revoking a token block what it has scheduled.
  const change = (changed: AdminUser) => {
    onChanged(changed);
    void scheduled.reload();
  };
  const removeToken = (id: string) => {
    tokens.replace((item) => item.id === id, null);
    void scheduled.reload();
  };
  return (
    <>
      <div class="head-row row">
        <IconButton icon={ArrowLeft} label={t("bots.all")} onClick={onBack} />
        <h2 class="truncate" dir="auto">
          {nameOf(bot)}
        </h2>
        <span class="muted truncate">@{bot.username}</span>
      </div>
      <About bot={bot} onChanged={change} />
      <h3>{t("tokens.title")}</h3>
      <Listing
        label={t("tokens.title")}
        pages={tokens}
        empty={<p class="muted">{t("tokens.none")}</p>}
        keyOf={(token) => token.id}
      >
        {(token) => (
          <TokenRow botId={bot.id} token={token} onRevoked={() => removeToken(token.id)} />
        )}
      </Listing>
      <NewToken
        botId={bot.id}
        onCreated={async (token) => {
          setCreated(token);
          setShowingToken(true);
          await tokens.reload();
        }}
      />
      <BotScheduledList botId={bot.id} pages={scheduled} />
      <BotExamples token={created?.token ?? null} />
      {created && isShowingToken && (
        <OneTimeSecret
          title={t("tokens.new")}
          text={t("tokens.new-text", { name: nameOf(bot) })}
          label={t("tokens.token")}
          value={created.token}
          onClose={() => setShowingToken(false)}
        />
      )}
    </>
  );
}

function About({ bot, onChanged }: Omit<BotPageProps, "onBack">) {
  const { values, action, field, isChanged } = useForm({ display_name: bot.display_name ?? "" });
  const change = async (body: UpdateBot, message: string) => {
    const params = { id: bot.id };
    onChanged(await store.call("PATCH /api/admin/bots/:id", { params, body }));
    showToast(message);
  };
  const turn = (is_active: boolean) =>
    change({ is_active }, is_active ? t("bots.turned-on") : t("bots.turned-off"));
  return (
    <Form
      action={action}
      submit={t("save-name")}
      kind="quiet"
      disabled={!isChanged}
      onSubmit={() => change({ display_name: values.display_name.trim() || null }, t("name-saved"))}
    >
      <Field
        label={t("display-name")}
        {...field("display_name")}
        maxLength={MAX_DISPLAY_NAME_LENGTH}
        autocomplete="off"
      />
      <Switch
        label={t("bots.active")}
        hint={t("bots.active-hint")}
        checked={bot.is_active}
        onChecked={(is_active) => void action.run(() => turn(is_active))}
      />
    </Form>
  );
}

/** Examples of posting and of receiving events, to copy. */
function BotExamples({ token }: { token: string | null }) {
  const visibleToken = token || "$SNUG_TOKEN";
  const { origin } = location;
  const curl = `curl ${origin}/api/rooms/$ROOM_ID/messages \\
  -H "Authorization: Bearer ${visibleToken}" \\
  -H "Content-Type: application/json" \\
  -d '{"content": "${t("bots.sample")}"}'`;
  const socket = `const socket = new WebSocket("${origin.replace(/^http/, "ws")}/ws/chat", {
  headers: { Authorization: "Bearer ${visibleToken}" },
});
socket.onopen = () => socket.send(JSON.stringify({ type: "join", room_id: ROOM_ID }));
socket.onmessage = ({ data }) => console.log(JSON.parse(data));`;
  return (
    <Details summary={t("bots.how")}>
      <div class="form">
        <CopyField label={t("bots.post")} value={curl} multiline />
        <CopyField label={t("bots.receive")} value={socket} multiline />
        <p class="muted small">
          {tRich("bots.docs", {
            link: (inner) => (
              <a href="/api/docs" target="_blank" rel="noopener">
                {inner}
              </a>
            ),
            code: (inner) => <code>{inner}</code>,
          })}
        </p>
      </div>
    </Details>
  );
}

type TokenRowProps = { botId: string; token: ApiToken; onRevoked(): void };

function TokenRow({ botId, token, onRevoked }: TokenRowProps) {
  const revoke = () =>
    askToConfirm({
      title: t("tokens.revoke-title", { name: token.name }),
      text: t("tokens.revoke-text"),
      action: t("action.revoke"),
      onConfirm: async () => {
        await store.call("DELETE /api/admin/bots/:id/tokens/:token_id", {
          params: { id: botId, token_id: token.id },
        });
        onRevoked();
        showToast(t("tokens.revoke-done", { name: token.name }));
      },
    });
  return (
    <>
      <RowText title={token.name} hint={<code>…{token.last4}</code>} wraps>
        {token.scopes.join(", ") || t("tokens.no-scope")} ·{" "}
        {token.last_used_at ? (
          <TimeAgo at={token.last_used_at}>
            {t("last-used", { when: formatAgo(token.last_used_at) })}
          </TimeAgo>
        ) : (
          t("not-used")
        )}
        {token.expires_at && ` · ${t("expires-at", { when: fullTimeOf(token.expires_at) })}`}
      </RowText>
      <Button kind="danger" onClick={revoke}>
        {tRich("tokens.revoke-one", { name: token.name, hidden: visuallyHidden })}
      </Button>
    </>
  );
}
