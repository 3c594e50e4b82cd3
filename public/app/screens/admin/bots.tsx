import { useState } from "preact/hooks";
import type { AdminUser } from "../../../../src/wire/admin.ts";
import { store, toast } from "../../app.ts";
import { Button } from "../../parts/button.tsx";
import { ErrorText, Field } from "../../parts/field.tsx";
import { Listing } from "../../parts/listing.tsx";
import { Avatar, nameOf } from "../../parts/person.tsx";
import { fullTimeOf } from "../../parts/times.ts";
import { useAction } from "../../parts/use-action.ts";
import { usePages } from "../../parts/use-pages.ts";
import { BotPage } from "./bot-page.tsx";

/** Programs that read and write as members of rooms. */
export function Bots() {
  const [open, setOpen] = useState<AdminUser | null>(null);
  const pages = usePages<AdminUser>("/api/admin/bots");
  if (open) {
    const bot = pages.items?.find(({ id }) => id === open.id) ?? open;
    return (
      <BotPage
        bot={bot}
        onChanged={(changed) => pages.replace((one) => one.id === changed.id, changed)}
        onBack={() => setOpen(null)}
      />
    );
  }
  return (
    <>
      <h2>Bots</h2>
      <p class="muted small">
        A bot is a member of rooms like anyone: add it to a room, and it may do there what its token
        allows.
      </p>
      <NewBot
        onMade={async (bot) => {
          await pages.reload();
          setOpen(bot);
        }}
      />
      <Listing
        label="Bots"
        pages={pages}
        empty="There is no bot yet. Make the first one above."
        keyOf={(bot) => bot.id}
      >
        {(bot) => (
          <>
            <Avatar user={bot} />
            <div class="grow">
              <p class="truncate">
                <b>{nameOf(bot)}</b> <span class="muted">@{bot.username}</span>
              </p>
              <p class="muted small">
                {bot.last_seen_at ? `Called ${fullTimeOf(bot.last_seen_at)}` : "Has not called yet"}
              </p>
            </div>
            {!bot.is_active && <span class="tag">deactivated</span>}
            <Button onClick={() => setOpen(bot)}>
              Open <span class="visually-hidden">{nameOf(bot)}</span>
            </Button>
          </>
        )}
      </Listing>
    </>
  );
}

function NewBot({ onMade }: { onMade(bot: AdminUser): Promise<void> }) {
  const [username, setUsername] = useState("");
  const action = useAction(["username"]);
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const bot = await store.api.post<AdminUser>("/api/admin/bots", { username });
      setUsername("");
      toast(`The bot ${bot.username} is made. Give it a token next.`);
      await onMade(bot);
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      <Field
        label="Username of a new bot"
        hint="Letters, digits, dots, dashes. Others mention it by this."
        value={username}
        onValue={setUsername}
        error={action.field("username")}
        maxLength={32}
        autocomplete="off"
        required
      />
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <div class="actions">
        <Button kind="primary" type="submit" busy={action.busy}>
          Make bot
        </Button>
      </div>
    </form>
  );
}
