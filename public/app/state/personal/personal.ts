import type { UnreadActivity } from "../../../../src/wire/activity.ts";
import type { ServerEvent } from "../../../../src/wire/events.ts";
import type { DraftCopy as Draft } from "../../../../src/wire/drafts.ts";
import type { SavedIds } from "../../../../src/wire/saved-messages.ts";
import type { Scheduled } from "../../../../src/wire/scheduled-messages.ts";
import type { Section, Sections } from "../../../../src/wire/sections.ts";
import { type Personal, roomById, type State } from "../model/model.ts";
import { readNews } from "../model/unread.ts";

export function withPersonal(state: State, change: Partial<Personal>): State {
  return { ...state, personal: { ...state.personal, ...change } };
}

/** Applies an event without a number: the last one wins. */
export function applyPersonal(state: State, event: ServerEvent): State {
  if (event.type === "saved") {
    const isOpen = event.saved !== null && event.saved.done_at === null;
    return withSaved(state, event.message_id, isOpen);
  }
  if (event.type === "scheduled") return withScheduled(state, event.id, event.scheduled);
  return state;
}

export function withSavedList(state: State, { ids, due_count: due }: SavedIds): State {
  return withPersonal(state, { saved: { ids: new Set(ids), due } });
}

/** Adds a saved message, or removes one that was unsaved or marked as done. */
export function withSaved(state: State, messageId: string, isSaved: boolean): State {
  const { saved } = state.personal;
  if (!saved || saved.ids.has(messageId) === isSaved) return state;
  const ids = new Set(saved.ids);
  if (isSaved) ids.add(messageId);
  else ids.delete(messageId);
  return withPersonal(state, { saved: { ...saved, ids } });
}

/**
 * Whether my saved messages must be loaded again: only a response contains which of them are due,
 * and those of rooms that I have left are hidden until I rejoin.
 */
export function changesSaved({ personal }: State, event: ServerEvent): boolean {
  const isSaved = (messageId: string) => personal.saved?.ids.has(messageId) === true;
  switch (event.type) {
    case "hello":
    case "saved":
    case "room_added":
    case "room_removed":
      return true;
    case "message_delete":
    // Does not say whether a message with replies was edited or deleted.
    case "unread_changed":
      return isSaved(event.message_id);
    case "message_update":
      return event.message.deleted_at !== null && isSaved(event.message.id);
    default:
      return false;
  }
}

export function withScheduledList(state: State, all: Scheduled[]): State {
  const scheduled = Object.fromEntries(all.map((item) => [item.id, item]));
  return withPersonal(state, { scheduled });
}

/** @param item null if it no longer exists */
export function withScheduled(state: State, id: string, item: Scheduled | null): State {
  if (!state.personal.scheduled) return state;
  const { [id]: _, ...others } = state.personal.scheduled;
  return withPersonal(state, { scheduled: item ? { ...others, [id]: item } : others });
}

/** Replaces the sections of my sidebar, unless the current ones are newer. */
export function withSections(state: State, sections: Sections): State {
  if (sections.version < (state.personal.sections?.version ?? 0)) return state;
  return withPersonal(state, { sections });
}

/** Applies a local change to the sections of my sidebar, which keeps their version. */
export function withSectionChange(state: State, change: (sections: Section[]) => Section[]): State {
  const { sections } = state.personal;
  if (!sections) return state;
  return withPersonal(state, { sections: { ...sections, sections: change(sections.sections) } });
}

export function withDrafts(state: State, drafts: Personal["drafts"]): State {
  return withPersonal(state, { drafts });
}

/**
 * The state with the rooms and threads of the service's drafts, until this device has read its own.
 */
export function withServiceDrafts(state: State, items: Draft[]): State {
  if (state.personal.drafts) return state;
  const marks = items
    .filter(({ content }) => content)
    .map(({ room_id, thread_id, room }) => {
      const key = thread_id ? `${room_id}.${thread_id}` : room_id;
      const place = { roomId: room_id, threadId: thread_id };
      const mark = {
        ...place,
        key,
        hasText: true,
        isEmpty: false,
        offer: null,
        room,
        problem: null,
      };
      return [key, mark] as const;
    });
  return withDrafts(state, Object.fromEntries(marks));
}

/** Hides a message that I am deleting. */
export function withHidden(state: State, messageId: string): State {
  return withPersonal(state, { hidden: new Set(state.personal.hidden).add(messageId) });
}

export function withActivity(state: State, unread: UnreadActivity): State {
  const { activity } = state.personal;
  // The mark only moves forward, so a response with an earlier mark is older.
  if (activity && unread.read_at < activity.read_at) return state;
  return withPersonal(state, { activity: unread });
}

/**
 * Counts a message that mentions me, unless the list includes it.
 * @param seq its number
 */
export function withNewMention(state: State, room_id: string, seq: number): State {
  const { activity } = state.personal;
  if (!activity) return state;
  const mention = activity.mentions.find((item) => item.room_id === room_id);
  if (mention && seq <= mention.seq) return state;
  const others = activity.mentions.filter((item) => item !== mention);
  const mentions = [...others, { room_id, count: (mention?.count ?? 0) + 1, seq }];
  return withPersonal(state, { activity: { ...activity, mentions } });
}

export function countMentions(state: State, roomId: string): number {
  return roomById(state, roomId)?.membership?.mention_count ?? 0;
}

/** Whether every room has the same number of unread mentions as in an earlier state. */
export function haveSameMentions(before: State, state: State): boolean {
  if (before.conversations === state.conversations) return true;
  const ids = Object.keys(state.conversations ?? {});
  return ids.every((id) => countMentions(before, id) === countMentions(state, id));
}

/**
 * The number of new entries. A room's mentions after the list's mark are its newest ones, so at
 * most as many are new as are unread in the room.
 */
export function countActivity(state: State): { mentions: number; reactions: number } {
  const { activity } = state.personal;
  if (!activity || !state.conversations) return { mentions: 0, reactions: 0 };
  const mentions = activity.mentions.reduce((sum, { room_id, count }) => {
    return sum + Math.min(count, readNews(roomById(state, room_id)?.membership).mentions);
  }, 0);
  return { mentions, reactions: activity.reactions };
}
