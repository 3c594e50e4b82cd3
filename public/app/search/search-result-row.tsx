import { FileText, Image as ImageIcon, MessagesSquare } from "lucide";
import type { SearchResult } from "../../../src/wire/models.ts";
import type { SearchTerm } from "../../../src/wire/search.ts";
import { findMatches } from "../../../src/wire/search-match.ts";
import { Icon } from "../parts/icon.tsx";
import { Avatar, nameOf } from "../session/person.tsx";
import { RoomIcon } from "../parts/room-icon.tsx";
import { fullTimeOf, timeOf } from "../parts/times.ts";
import { PHONE } from "../parts/use-media.ts";
import { nameOfDirect } from "../session/direct.ts";
import { searched } from "../session/navigation.ts";
import { store } from "../session/store.ts";
import { conversationById } from "../state/model/model.ts";
import { directPath, roomPath, threadPath } from "../state/route.ts";
import { t } from "../words/translate.ts";
import { Snippet } from "./snippet.tsx";

type RowProps = { result: SearchResult; terms: SearchTerm[]; isCurrent: boolean; onOpen(): void };

/** A message that was found; it leads to its place in the room. */
export function SearchResultRow({ result, terms, isCurrent, onOpen }: RowProps) {
  const { message, matches } = result;
  const { author, content, file, image, preview } = message;
  return (
    <li>
      <a
        class="search-result"
        href={pathOf(result)}
        data-stop
        aria-current={isCurrent ? "true" : undefined}
        onClick={onOpen}
      >
        <Avatar user={author} size={28} />
        <span class="grow">
          <span class="search-about">
            <b class="truncate" dir="auto">
              {nameOf(author)}
            </b>
            <Place result={result} />
            <time
              class="muted small"
              dateTime={message.created_at}
              data-tooltip={fullTimeOf(message.created_at)}
            >
              {timeOf(message.created_at)}
            </time>
          </span>
          {message.thread?.title && (
            <b class="search-extra row small truncate" dir="auto">
              <Snippet
                text={message.thread.title}
                matches={findMatches(message.thread.title, terms)}
              />
            </b>
          )}
          {content && (
            <span class="search-text" dir="auto">
              <Snippet text={content} matches={matches} />
            </span>
          )}
          {file && (
            <span class="search-extra row small" dir="auto">
              <Icon of={FileText} />
              <span class="truncate">
                <Snippet text={file.name} matches={findMatches(file.name, terms)} />
              </span>
            </span>
          )}
          {image && (
            <span class="search-extra row small">
              <Icon of={ImageIcon} />
              {t("search.image")}
            </span>
          )}
          {preview?.title && (
            <span class="search-extra row small muted" dir="auto">
              <span class="truncate">
                <Snippet text={preview.title} matches={findMatches(preview.title, terms)} />
              </span>
            </span>
          )}
        </span>
      </a>
    </li>
  );
}

function Place({ result: { room } }: { result: SearchResult }) {
  const mine = conversationById(store.state.value, room.id);
  const name =
    room.name ?? (mine?.kind === "direct" ? nameOfDirect(mine.direct) : t("search.conversation"));
  return (
    <span class="search-place muted small" dir="auto">
      {room.kind === "direct" ? (
        <Icon of={MessagesSquare} />
      ) : (
        <RoomIcon room={mine ?? { privacy: "open" }} />
      )}
      <span class="truncate">{name}</span>
    </span>
  );
}

/** On a wide page the search stays open beside the room. */
function pathOf({ message, room }: SearchResult): string {
  // A thread takes the place of the search.
  if (message.thread_id && room.name) return threadPath(room.name, message.thread_id, message.id);
  const path =
    room.name === null ? directPath(room.id, message.id) : roomPath(room.name, message.id);
  const query = matchMedia(PHONE).matches ? null : searched.value;
  return query === null ? path : `${path}?${new URLSearchParams({ q: query })}`;
}
