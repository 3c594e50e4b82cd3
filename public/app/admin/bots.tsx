import { Bot } from "lucide";
import { useState } from "preact/hooks";
import type { AdminUser } from "../../../src/wire/admin.ts";
import { store } from "../session/store.ts";
import { showToast } from "../session/toasts.ts";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { Field } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Listing } from "../parts/listing.tsx";
import { Avatar, nameOf } from "../session/person.tsx";
import { TimeAgo } from "../parts/time-ago.tsx";
import { formatAgo } from "../parts/times.ts";
import { useForm } from "../parts/use-action.ts";
import { usePages } from "../session/use-pages.ts";
import { BotPage } from "./bot-page.tsx";
import { visuallyHidden } from "../parts/visually-hidden.tsx";
import { RowText } from "../parts/row-text.tsx";
import { tRich, t } from "../words/translate.ts";

export function Bots() {
  const [open, setOpen] = useState<AdminUser | null>(null);
  const pages = usePages("GET /api/admin/bots");
  if (open) {
    const bot = pages.items?.find(({ id }) => id === open.id) ?? open;
    return (
      <BotPage
        bot={bot}
        onChanged={(changed) => pages.replace((item) => item.id === changed.id, changed)}
        onBack={() => setOpen(null)}
      />
    );
  }
  return (
    <>
      <h2 class="not-on-phone">{t("admin.bots")}</h2>
      <p class="muted small">{t("bots.text")}</p>
      <NewBot
        onCreated={async (bot) => {
          await pages.reload();
          setOpen(bot);
        }}
      />
      <Listing
        label={t("admin.bots")}
        pages={pages}
        empty={<Empty icon={Bot} title={t("bots.none")} />}
        keyOf={(bot) => bot.id}
      >
        {(bot) => (
          <>
            <Avatar user={bot} size={32} />
            <RowText title={nameOf(bot)} hint={`@${bot.username}`} wraps>
              {bot.last_seen_at ? (
                <TimeAgo at={bot.last_seen_at}>
                  {t("last-active", { when: formatAgo(bot.last_seen_at) })}
                </TimeAgo>
              ) : (
                t("bots.not-active")
              )}
            </RowText>
            {!bot.is_active && <span class="tag">{t("bots.is-deactivated")}</span>}
            <Button onClick={() => setOpen(bot)}>
              {tRich("bots.open", { name: nameOf(bot), hidden: visuallyHidden })}
            </Button>
          </>
        )}
      </Listing>
    </>
  );
}

function NewBot({ onCreated }: { onCreated(bot: AdminUser): Promise<void> }) {
  const { values, set, action, field } = useForm({ username: "" });
  const submit = async () => {
    const bot = await store.call("POST /api/admin/bots", { body: values });
    set({ username: "" });
    showToast(t("bots.created", { name: bot.username }));
    await onCreated(bot);
  };
  return (
    <Form action={action} onSubmit={submit}>
      <Field
        label={t("bots.username")}
        hint={t("bots.username-hint")}
        {...field("username")}
        maxLength={32}
        autocomplete="off"
        required
        button={
          <Button kind="primary" type="submit" busy={action.busy}>
            {t("bots.create")}
          </Button>
        }
      />
    </Form>
  );
}
