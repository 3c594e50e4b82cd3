import { Webhook } from "lucide";
import { useComputed } from "@preact/signals";

import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { store } from "../app.ts";
import { overlay } from "../overlay.ts";
import { Icon } from "../parts/icon.tsx";
import { IconButton } from "../parts/button.tsx";
import { Avatar, nameOf } from "../parts/person.tsx";
import { longPress } from "../parts/long-press.ts";
import { memo } from "../parts/memo.tsx";
import { fullTimeOf, timeOf } from "../parts/times.ts";
import { isSameRoom, wrote } from "../state/model.ts";
import { Attachments } from "./attachments/attachments.tsx";
import { editing } from "./editing.ts";
import { messageActions } from "./message-actions.ts";
import { MessageBody } from "./message-body.tsx";
import { PreviewCard } from "./preview-card.tsx";
import { QuickReactions, Reactions } from "./reactions.tsx";
import { EditForm } from "./edit-form.tsx";
import { focused, hovered } from "./timeline/active.ts";
import { say } from "../words/say.ts";

const QUICK = 3;

type RowProps = {
  room: MyRoom;
  message: Message;
  head: boolean;
  marked: boolean;
  /** The keyboard comes to this one first. */
  first: boolean;
};

export const MessageRow = memo(function MessageRow(props: RowProps) {
  const { room, message, head, marked, first } = props;
  const { id } = message;
  // Of what many rows look at, each is drawn again for its own part only.
  const isEditing = useComputed(() => editing.value === id).value;
  const isActive = useComputed(() => hovered.value === id || focused.value === id).value;
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
      tabIndex={first ? 0 : -1}
      {...longPress((row) => {
        // The focus comes back to it once the sheet is closed.
        row.focus({ preventScroll: true });
        overlay.value = { name: "message", roomId: room.id, messageId: message.id };
      })}
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
      {isActive && !isEditing && <Tools room={room} message={message} />}
    </li>
  );
}, isSameRow);

/** A room changes with every message; what a row shows of it seldom does. */
function isSameRow(a: RowProps, b: RowProps): boolean {
  return (
    a.message === b.message &&
    a.head === b.head &&
    a.marked === b.marked &&
    a.first === b.first &&
    isSameRoom(a.room, b.room)
  );
}

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

/** What can be done with a message, for a pointer and for the keyboard. */
function Tools({ room, message }: { room: MyRoom; message: Message }) {
  return (
    <div class="tools" role="toolbar" aria-label={say("message.actions")}>
      {!room.is_archived && <QuickReactions message={message} most={QUICK} />}
      {messageActions(room, message).map(({ icon, label, run }) => (
        <IconButton key={label} icon={icon} label={label} onClick={run} />
      ))}
    </div>
  );
}
