import { Webhook } from "lucide";
import type { Message, User } from "../../../src/wire/models.ts";
import { openDialog } from "../session/overlay.ts";
import { store } from "../session/store.ts";
import { Icon } from "../parts/icon.tsx";
import { Avatar, nameOf } from "../session/person.tsx";
import { fullTimeOf, shortTimeOf, timeOf } from "../parts/times.ts";
import { conversationById } from "../state/model/model.ts";
import { placePath } from "../state/route.ts";
import { t } from "../words/translate.ts";

/** The name of the author, or of the incoming webhook that posted the message. */
export function senderOf({ author, via }: Message): string {
  return via ? via.name : nameOf(author);
}

/** The description of a message's image, or else whose image it is. */
export function altOf(message: Message): string {
  return message.image?.alt ?? t("message.image", { name: senderOf(message) });
}

/** The head of a gallery without a text. */
export function GalleryHead({ message }: { message: Message }) {
  return (
    <li class="message head" data-state="sent">
      <Sender message={message} />
      <div class="grow">
        <Byline message={message} isActive={false} />
      </div>
    </li>
  );
}

const showCard =
  (user: User) =>
  ({ currentTarget: anchor }: { currentTarget: Element }) =>
    openDialog({ name: "person", user, anchor });

/** The author's avatar, or for a webhook its emoji in a square. */
export function Sender({ message }: { message: Message }) {
  const { author, via } = message;
  if (!via) {
    return (
      // Hidden from keyboards and screen readers: the name beside it is a button too.
      <button
        type="button"
        class="who reach"
        tabIndex={-1}
        aria-hidden="true"
        onClick={showCard(author)}
      >
        <Avatar user={author} />
      </button>
    );
  }
  return (
    <span class="via-mark grid surface outlined rigid middle muted" aria-hidden="true">
      {via.icon_emoji ?? <Icon of={Webhook} />}
    </span>
  );
}

type BylineProps = {
  message: Message;
  isActive: boolean;
};

/** The author and time of a message. The name opens the person's card. */
export function Byline({ message, isActive }: BylineProps) {
  const { author, via } = message;
  const name = (
    <b class="strong truncate" dir="auto">
      {senderOf(message)}
    </b>
  );
  return (
    <p class="byline row">
      {via ? (
        name
      ) : (
        <button
          type="button"
          class="who reach"
          tabIndex={isActive ? 0 : -1}
          onClick={showCard(author)}
        >
          {name}
        </button>
      )}
      {(via || author.is_bot) && <span class="tag">{t("members.bot")}</span>}
      <Time message={message} />
    </p>
  );
}

type TimeProps = { message: Message; gutter?: boolean };

/**
 * The time of a message, as a link to it. The keyboard reaches the link among the message's
 * actions.
 */
export function Time({ message: { id, room_id, created_at }, gutter }: TimeProps) {
  const room = conversationById(store.state.peek(), room_id);
  const time = <Clock at={created_at} short={gutter} />;
  const name = gutter ? "gutter tiny" : "at tiny";
  if (!room) return <span class={name}>{time}</span>;
  return (
    <a class={name} href={placePath(room, id)} tabIndex={-1}>
      {time}
    </a>
  );
}

/** A time, with the full date as a tooltip. A short one has no "AM" or "PM". */
export function Clock({ at, short }: { at: string; short?: boolean }) {
  return (
    <time dateTime={at} data-tooltip={fullTimeOf(at)}>
      {short ? shortTimeOf(at) : timeOf(at)}
    </time>
  );
}
