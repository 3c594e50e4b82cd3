import { Webhook } from "lucide";
import type { Message, User } from "../../../src/wire/models.ts";
import { overlay } from "../session/overlay.ts";
import { Icon } from "../parts/icon.tsx";
import { Avatar, nameOf } from "../parts/person.tsx";
import { fullTimeOf, timeOf } from "../parts/times.ts";
import { t } from "../words/translate.ts";

/** What a message goes by: a webhook has a name of its own, which is nobody's. */
export function senderOf({ author, via }: Message): string {
  return via ? via.name : nameOf(author);
}

function showCard(user: User): void {
  overlay.value = { name: "person", user };
}

/** A picture of the author, or for a webhook its emoji on a square: round are people. */
export function Sender({ message }: { message: Message }) {
  const { author, via } = message;
  if (!via) {
    return (
      // The name beside it does the same, for the keyboard and for those who listen.
      <button
        type="button"
        class="who"
        tabIndex={-1}
        aria-hidden="true"
        onClick={() => showCard(author)}
      >
        <Avatar user={author} />
      </button>
    );
  }
  return (
    <span class="via-mark" aria-hidden="true">
      {via.icon_emoji ?? <Icon of={Webhook} />}
    </span>
  );
}

type BylineProps = {
  message: Message;
  /** Whether the keyboard has come to the message. */
  isActive: boolean;
};

/** Who wrote a message, and when; the name brings out a card of the person. */
export function Byline({ message, isActive }: BylineProps) {
  const { author, via } = message;
  const name = (
    <b class="truncate" dir="auto">
      {senderOf(message)}
    </b>
  );
  return (
    <p class="byline">
      {via ? (
        name
      ) : (
        <button
          type="button"
          class="who"
          tabIndex={isActive ? 0 : -1}
          onClick={() => showCard(author)}
        >
          {name}
        </button>
      )}
      {(via || author.is_bot) && <span class="tag">{t("members.bot")}</span>}
      <Time at={message.created_at} />
    </p>
  );
}

/** When a message was written; in full where a pointer rests. */
export function Time({ at, gutter }: { at: string; gutter?: boolean }) {
  return (
    <time class={gutter ? "gutter" : undefined} dateTime={at} title={fullTimeOf(at)}>
      {timeOf(at)}
    </time>
  );
}
