import { FileText, Image as ImageIcon, Link, MessagesSquare } from "lucide";
import { useMemo } from "preact/hooks";
import type { Message, SearchResult } from "../../../src/wire/models.ts";
import type { SearchTerm } from "../../../src/wire/search.ts";
import { findMatches } from "../../../src/wire/search-match.ts";
import { listedMessageActions } from "../messages/message-actions.ts";
import { Icon } from "../parts/icon.tsx";
import { ListRow } from "../parts/list-row.tsx";
import { Avatar, nameOf } from "../session/person.tsx";
import { RoomName } from "../parts/room-icon.tsx";
import { timeOf } from "../parts/times.ts";
import { PHONE } from "../parts/use-media.ts";
import { nameOfDirect } from "../session/direct.ts";
import { searched } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { conversationById } from "../state/model/model.ts";
import { directPath, roomPath, threadPath } from "../state/route.ts";
import { t } from "../words/translate.ts";
import { readFound, Snippet } from "./snippet.tsx";

type RowProps = {
  result: SearchResult;
  terms: SearchTerm[];
  /** Whether the row is below a heading with its day. */
  isOfDay: boolean;
  isCurrent: boolean;
  onOpen(): void;
};

export function SearchResultRow({ result, terms, isOfDay, isCurrent, onOpen }: RowProps) {
  const { message, matches } = result;
  const { author, content, created_at } = message;
  const excerpt = useMemo(
    () => (content ? readFound(content, matches, terms) : null),
    [content, matches, terms],
  );
  return (
    <li>
      <ListRow
        href={pathOf(result)}
        isCurrent={isCurrent}
        onOpen={onOpen}
        mark={<Avatar user={author} size={32} />}
        title={nameOf(author)}
        place={<Place result={result} />}
        at={created_at}
        when={isOfDay ? timeOf(created_at) : undefined}
        text={excerpt && <Snippet {...excerpt.shown} />}
        actions={listedMessageActions(message)}
      >
        {excerpt?.address.text && (
          <span class="small muted truncate" dir="ltr">
            <Icon of={Link} />
            <Snippet {...excerpt.address} />
          </span>
        )}
        <Extras message={message} terms={terms} />
      </ListRow>
    </li>
  );
}

/** Other matching texts of a message: its thread's title, its file and its preview. */
function Extras({ message, terms }: { message: Message; terms: SearchTerm[] }) {
  const { thread, file, image, preview } = message;
  const mark = (text: string) => <Snippet text={text} matches={findMatches(text, terms)} />;
  return (
    <>
      {thread?.title && (
        <b class="small truncate" dir="auto">
          {mark(thread.title)}
        </b>
      )}
      {file && (
        <span class="small truncate" dir="auto">
          <Icon of={FileText} />
          {mark(file.name)}
        </span>
      )}
      {image && (
        <span class="small">
          <Icon of={ImageIcon} />
          {t("search.image")}
        </span>
      )}
      {preview?.title && (
        <span class="small muted truncate" dir="auto">
          {mark(preview.title)}
        </span>
      )}
    </>
  );
}

function Place({ result: { room, message } }: { result: SearchResult }) {
  const conversation = conversationById(store.state.value, room.id);
  const direct = conversation?.kind === "direct" ? conversation.direct : null;
  // The author is the only other person.
  const isOfAuthor = direct?.kind === "pair" && message.author.id !== store.me.value?.id;
  const name =
    room.name ?? (direct && !isOfAuthor ? nameOfDirect(direct) : t("search.conversation"));
  if (room.kind === "room")
    return <RoomName room={conversation ?? { privacy: "open" }} name={name} />;
  return (
    <>
      <Icon of={MessagesSquare} />
      {name}
    </>
  );
}

/** On a wide page the search stays open beside the room. */
function pathOf({ message, room }: SearchResult): string {
  // A thread replaces the search.
  if (message.thread_id && room.name) return threadPath(room.name, message.thread_id, message.id);
  const path =
    room.name === null ? directPath(room.id, message.id) : roomPath(room.name, message.id);
  const query = matchMedia(PHONE).matches ? null : searched.value;
  return query === null ? path : `${path}?${new URLSearchParams({ q: query })}`;
}
