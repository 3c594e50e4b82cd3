import { useEffect, useState } from "preact/hooks";
import type { User } from "../../../src/wire/models.ts";
import { Composer } from "../composer/composer.tsx";
import { Redirect, navigateTo } from "../session/navigation.ts";
import { readNewDirect, withName } from "../session/direct.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { store } from "../session/store.ts";
import { uploads } from "../session/upload-list.ts";
import { showError } from "../session/toasts.ts";
import { toDirectRoom } from "../state/model/conversation.ts";
import { directWith } from "../state/conversations/directs.ts";
import { directPath } from "../state/route.ts";
import { RoomStart } from "../timeline/ends.tsx";
import { Faces } from "../session/faces.tsx";

/**
 * A conversation that does not exist yet. Opening this screen creates nothing: the first message
 * does.
 */
export function NewDirect({ userIds }: { userIds: string[] }) {
  const [isLooking, setIsLooking] = useState(true);
  const people = readNewDirect(userIds);
  useEffect(() => {
    // A conversation that I have hidden is not in the list.
    const query = { user_ids: userIds.join() };
    const end = () => setIsLooking(false);
    store.call("GET /api/direct", { query }).then(end, end);
  }, []);
  const existing = directWith(store.state.value, userIds);
  if (existing) return <Redirect to={directPath(existing.id)} />;
  if (!people) return <Redirect to="/direct" />;
  if (isLooking) return <section class="pane" aria-busy="true" />;
  const room = makeRoomOf(people, userIds);
  const create = async () => {
    const user_ids = people.map(({ id }) => id);
    const direct = await store.call("POST /api/direct", { body: { user_ids } });
    return direct.id;
  };
  const begin = {
    async send(text: string) {
      try {
        const id = await create();
        store.outbox?.add(id, text);
        navigateTo(directPath(id), true);
        return true;
      } catch (error) {
        showError(error);
        return false;
      }
    },
    attach(files: Iterable<File>) {
      create().then((id) => {
        void uploads.add(id, files);
        navigateTo(directPath(id), true);
      }, showError);
    },
  };
  return (
    <section class="pane" aria-label={room.name}>
      <PaneHead
        title={room.name}
        text={people.length === 1 && people[0] ? `@${people[0].username}` : null}
        mark={<Faces direct={room.direct} size={32} />}
      />
      <div class="timeline new-direct grow">
        <ul>
          <RoomStart room={room} isEmpty />
        </ul>
      </div>
      <Composer room={room} begin={begin} />
    </section>
  );
}

/** The fields of a conversation that the composer and the head need. */
function makeRoomOf(people: User[], userIds: string[]) {
  const me = store.me.value;
  const all = [...people, ...(me ? [me] : [])];
  const now = new Date().toISOString();
  return withName(
    toDirectRoom({
      id: `to:${userIds.join()}`,
      kind: people.length === 0 ? "self" : people.length === 1 ? "pair" : "group",
      members: all
        .toSorted((a, b) => (a.username < b.username ? -1 : 1))
        .map((user) => ({ user, status: "offline" })),
      created_at: now,
      last_message_at: null,
      is_closed: false,
      seq: 0,
      pin_count: 0,
      newest_pin: null,
      membership: {
        last_read_at: now,
        last_read_seq: 0,
        notify: "all",
        muted_until: null,
        unread: false,
        unread_count: 0,
        hidden_at: null,
        pinned_at: null,
        version: 0,
      },
    }),
  );
}
