import { Link, Pencil, Trash2 } from "lucide";
import { memo } from "preact/compat";
import type { Message, MyRoom } from "../../../src/wire/models.ts";
import { deletions, store, toast } from "../app.ts";
import { IconButton } from "../parts/button.tsx";
import { Avatar, nameOf } from "../parts/person.tsx";
import { fullTimeOf, timeOf } from "../parts/times.ts";
import { roomPath } from "../state/route.ts";
import { Attachments } from "./attachments/attachments.tsx";
import { editing } from "./editing.ts";
import { EditForm } from "./edit-form.tsx";

type RowProps = { room: MyRoom; message: Message; head: boolean; marked: boolean };

export const MessageRow = memo(function MessageRow({ room, message, head, marked }: RowProps) {
  const isEditing = editing.value === message.id;
  const classes = ["message", head && "head", marked && "marked"];
  return (
    <li
      class={classes.filter(Boolean).join(" ")}
      data-message-id={message.id}
      data-state="sent"
      // A tap brings out the actions where nothing can hover.
      tabIndex={-1}
    >
      {head ? <Avatar user={message.author} /> : <Time at={message.created_at} gutter />}
      <div class="grow">
        {head && (
          <p class="byline">
            <b class="truncate">{nameOf(message.author)}</b>
            <Time at={message.created_at} />
          </p>
        )}
        {!head && <span class="visually-hidden">{nameOf(message.author)}: </span>}
        {isEditing ? (
          <EditForm message={message} />
        ) : (
          <div class="content">
            {message.content}
            {message.edited_at && (
              <span class="edited" title={fullTimeOf(message.edited_at)}>
                {" "}
                (edited)
              </span>
            )}
          </div>
        )}
        <Attachments
          image={message.image}
          file={message.file}
          alt={`image from ${nameOf(message.author)}`}
        />
      </div>
      {!isEditing && <Tools room={room} message={message} />}
    </li>
  );
});

function Time({ at, gutter }: { at: string; gutter?: boolean }) {
  return (
    <time class={gutter ? "gutter" : undefined} dateTime={at} title={fullTimeOf(at)}>
      {timeOf(at)}
    </time>
  );
}

/** What can be done with a message by whom. */
function Tools({ room, message }: { room: MyRoom; message: Message }) {
  const isMine = message.author.id === store.me.value?.id;
  const role = room.membership?.role ?? "member";
  const mayDelete = isMine || role !== "member";
  const copy = async () => {
    const address = location.origin + roomPath(room.name, message.id);
    await navigator.clipboard.writeText(address).then(
      () => toast("The link is copied."),
      () => toast(`Copying is not allowed here. The link is ${address}`),
    );
  };
  const remove = () => {
    deletions.begin(message.id);
    toast("The message is deleted.", () => deletions.undo(message.id));
  };
  return (
    <div class="tools" role="toolbar" aria-label="Message actions">
      {isMine && !room.is_archived && (
        <IconButton
          icon={Pencil}
          label="Edit message"
          onClick={() => (editing.value = message.id)}
        />
      )}
      <IconButton icon={Link} label="Copy link to message" onClick={() => void copy()} />
      {mayDelete && <IconButton icon={Trash2} label="Delete message" onClick={remove} />}
    </div>
  );
}
