import { expect } from "bun:test";
import type { ThreadItem, ThreadPage } from "../../src/wire/threads.ts";
import type { Client } from "./client.ts";

/** Posts a reply and expects it to be taken. */
export const reply = (who: Client, root: Root, content: string, more: object = {}) =>
  who.say(root.room_id, content, { thread_id: root.id, ...more });
type Root = { id: string; room_id: string };

/** The thread of a message, as someone sees it. */
export async function threadOf(
  who: Client,
  { id }: { id: string },
  query = "",
): Promise<ThreadPage> {
  const answer = await who.get(`/api/messages/${id}/thread${query}`);
  expect(answer.status).toBe(200);
  return answer.body;
}

/** The texts of a thread's replies. */
export async function textsOf(who: Client, root: { id: string }) {
  return (await threadOf(who, root)).items.map(({ content }) => content);
}

/** A list of threads. */
export async function threadsOf(who: Client, query = ""): Promise<ThreadItem[]> {
  const answer = await who.get(`/api/threads${query}`);
  expect(answer.status).toBe(200);
  return answer.body.items;
}

/** What "Threads" counts: the roots of what is unread, with how much of it. */
export async function unreadOf(who: Client): Promise<Record<string, number>> {
  const items = await threadsOf(who, "?filter=unread");
  return Object.fromEntries(items.map(({ root, unread_count }) => [root.id, unread_count]));
}
