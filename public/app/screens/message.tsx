import { Copy, Link, Pencil, Trash2, Webhook } from "lucide";
import { memo } from "preact/compat";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { deletions, react, store, toast } from "../app.ts";
import { Icon } from "../parts/icon.tsx";
import { IconButton } from "../parts/button.tsx";
import { Avatar, nameOf } from "../parts/person.tsx";
import { recentEmoji } from "../parts/emoji/recent.ts";
import { fullTimeOf, timeOf } from "../parts/times.ts";
import { wrote } from "../state/model.ts";
import { roomPath } from "../state/route.ts";
import { Attachments } from "./attachments/attachments.tsx";
import { editing } from "./editing.ts";
import { MessageBody } from "./message-body.tsx";
import { PreviewCard } from "./preview-card.tsx";
import { AddReaction, Reactions } from "./reactions.tsx";
import { EditForm } from "./edit-form.tsx";
import { say } from "../words/say.ts";

type RowProps = { room: MyRoom; message: Message; head: boolean; marked: boolean };

export const MessageRow = memo(function MessageRow({ room, message, head, marked }: RowProps) {
  const isEditing = editing.value === message.id;
  const me = store.me.value?.id;
  const mentionsMe =
    !wrote(store.me.value, message) && message.mentions.some((mention) => mention.user_id === me);
  const classes = ["message", head && "head", marked && "marked", mentionsMe && "mentions-me"];
  return (
    <li
      class={classes.filter(Boolean).join(" ")}
      data-message-id={message.id}
      data-seq={message.seq}
      data-state="sent"
      // A tap brings out the actions where nothing can hover.
      tabIndex={-1}
    >
      {head ? <Sender message={message} /> : <Time at={message.created_at} gutter />}
      <div class="grow">
        {head && (
          <p class="byline">
            <b class="truncate" dir="auto">
              {senderOf(message)}
            </b>
            {(message.via || message.author.is_bot) && (
              <span class="tag">{say("members.bot")}</span>
            )}
            <Time at={message.created_at} />
          </p>
        )}
        {!head && <span class="visually-hidden">{senderOf(message)}: </span>}
        {isEditing ? <EditForm message={message} /> : <MessageBody message={message} />}
        <Attachments
          image={message.image}
          file={message.file}
          alt={say("message.image", { name: senderOf(message) })}
        />
        {message.preview && <PreviewCard preview={message.preview} />}
        <Reactions message={message} disabled={room.is_archived} />
      </div>
      {!isEditing && <Tools room={room} message={message} />}
    </li>
  );
});

/** What a message goes by: a webhook has a name of its own, which is nobody's. */
function senderOf({ author, via }: Message): string {
  return via ? via.name : nameOf(author);
}

/** A picture of the author, or for a webhook its emoji on a square: round are people. */
function Sender({ message }: { message: Message }) {
  if (!message.via) return <Avatar user={message.author} />;
  return (
    <span class="via-mark" aria-hidden="true">
      {message.via.icon_emoji ?? <Icon of={Webhook} />}
    </span>
  );
}

function Time({ at, gutter }: { at: string; gutter?: boolean }) {
  return (
    <time class={gutter ? "gutter" : undefined} dateTime={at} title={fullTimeOf(at)}>
      {timeOf(at)}
    </time>
  );
}

/** What can be done with a message by whom. */
function Tools({ room, message }: { room: MyRoom; message: Message }) {
  const isMine = wrote(store.me.value, message);
  const role = room.membership?.role ?? "member";
  const mayDelete = isMine || role !== "member";
  const address = location.origin + roomPath(room.name, message.id);
  const remove = () => {
    deletions.begin(message.id);
    toast(say("message.deleted"), () => deletions.undo(message.id));
  };
  return (
    <div class="tools" role="toolbar" aria-label={say("message.actions")}>
      {!room.is_archived && <QuickReactions message={message} />}
      {isMine && !room.is_archived && (
        <IconButton
          icon={Pencil}
          label={say("message.edit")}
          onClick={() => (editing.value = message.id)}
        />
      )}
      {message.content && (
        <IconButton
          icon={Copy}
          label={say("message.copy")}
          onClick={() => void copy(message.content ?? "", say("message.copied"))}
        />
      )}
      <IconButton
        icon={Link}
        label={say("message.copy-link")}
        onClick={() => void copy(address, say("message.link-copied"))}
      />
      {mayDelete && <IconButton icon={Trash2} label={say("message.delete")} onClick={remove} />}
    </div>
  );
}

const QUICK = 3;

/** The emoji that one used last, at hand, and a way to all. */
function QuickReactions({ message }: { message: Message }) {
  return (
    <>
      {recentEmoji.value.slice(0, QUICK).map((emoji) => (
        <button
          key={emoji}
          type="button"
          class="icon-button quick"
          title={say("react.with", { emoji })}
          aria-label={say("react.with", { emoji })}
          onClick={() => void react(message, emoji)}
        >
          {emoji}
        </button>
      ))}
      <AddReaction message={message} class="icon-button" />
    </>
  );
}

async function copy(text: string, done: string): Promise<void> {
  await navigator.clipboard.writeText(text).then(
    () => toast(done),
    () => toast(say("message.no-copy")),
  );
}
