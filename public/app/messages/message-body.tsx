import { computed } from "@preact/signals";
import type { Message } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { isEmojiOnly } from "../parts/emoji/emoji-only.ts";
import type { Known } from "../parts/markdown/inlines.tsx";
import { Markdown } from "../parts/markdown/markdown.tsx";
import { fullTimeOf } from "../parts/times.ts";
import { roomPath } from "../state/route.ts";
import { placeOf } from "./app-link.tsx";
import { isBroadcast } from "../../../src/wire/markdown/extract.ts";
import { roomList } from "../state/model/model.ts";
import { mentionsMe } from "../state/model/unread.ts";
import { t } from "../words/translate.ts";

/** The text of a message, with links for the names that the reader can open. */
export function MessageBody({ message }: { message: Message }) {
  const { content, edited_at } = message;
  if (message.deleted_at) return <p class="muted">{t("message.was-deleted")}</p>;
  if (!content && !edited_at) return null;
  const edited = edited_at && (
    <span class="edited" data-tooltip={fullTimeOf(edited_at)}>
      {t("message.edited")}
    </span>
  );
  return (
    <div class={`content ${content && isEmojiOnly(content) ? "only-emoji" : ""}`} dir="auto">
      {content ? <Markdown text={content} known={knownIn(message)} end={edited} /> : edited}
    </div>
  );
}

/** The names of my rooms in one text: it changes seldom, while the state does with every event. */
const roomNames = computed(() =>
  roomList(store.state.value)
    .map((room) => room.name)
    .join(" "),
);

function knownIn(message: Message): Known {
  const { mentions, broadcast, room_references } = message;
  return {
    mention(username) {
      if (broadcast && isBroadcast(username))
        return mentionsMe(store.me.value, message) ? "me" : "someone";
      const mention = mentions.find((mention) => mention.username === username);
      if (!mention) return null;
      return mention.user_id === store.me.value?.id ? "me" : "someone";
    },
    room(name) {
      // The shared form names open rooms only; the reader's own private rooms are added from the
      // state.
      const isKnown =
        room_references.some((reference) => reference.name === name) ||
        roomNames.value.split(" ").includes(name);
      return isKnown ? roomPath(name) : null;
    },
    place: placeOf,
  };
}
