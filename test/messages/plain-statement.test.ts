import { expect, test } from "bun:test";
import type { SqlClient } from "../../src/database/connect.ts";
import { createDraft } from "../../src/messages/draft.ts";
import { insertMessages } from "../../src/messages/write-statements.ts";
import type { PostMessage } from "../../src/wire/requests.ts";

/** The statement that a batch of these messages is written with. */
async function statementOf(...bodies: PostMessage[]): Promise<{ text: string; lists: number }> {
  let sent = { text: "", lists: 0 };
  const client = {
    unsafe: async (text: string, values: unknown[]) => {
      sent = { text, lists: values.length };
      return [];
    },
  } as unknown as SqlClient;
  const author = { id: Bun.randomUUIDv7(), sessionId: Bun.randomUUIDv7(), token: null };
  const drafts = bodies.map((body) => createDraft(author, Bun.randomUUIDv7(), body, null));
  await insertMessages(client, Bun.randomUUIDv7(), drafts, { shares: false });
  return sent;
}

const client_id = Bun.randomUUIDv7();
const plain = { content: "plain", client_id };

test("a batch of plain texts asks nothing of what people keep, plan or have begun to write", async () => {
  const { text, lists } = await statementOf(plain, { content: "another" });
  expect(text).not.toMatch(/drafts|scheduled|saved|pins|cleared/);
  // The instance and the rooms, and of each message what every message has.
  expect(lists).toBe(8);
  expect(await statementOf({ ...plain, clears_draft: false })).toEqual({ text, lists });
  expect(await statementOf({ content: "no id", clears_draft: true })).toEqual({ text, lists });
});

test("a message that clears a draft brings one list, and still one statement", async () => {
  const { text, lists } = await statementOf({ ...plain, clears_draft: true });
  expect(lists).toBe(9);
  expect(text).toContain("update drafts");
});

test("what clears a draft is beside one other part, and two others bring all", async () => {
  const reply = { ...plain, thread_id: client_id };
  const clearing = { ...plain, clears_draft: true };
  const { text: replying } = await statementOf(reply);
  expect(replying).toContain("answered as");
  expect(replying).not.toContain("update drafts");
  const both = await statementOf({ ...reply, ...clearing });
  expect(both.text).toContain("answered as");
  expect(both.text).toContain("update drafts");
  expect(both.text).not.toContain("message_broadcasts");
  expect(await statementOf(reply, clearing)).toEqual(both);
  const all = await statementOf({ ...reply, ...clearing, quote_id: client_id });
  expect(all.text).toContain("message_broadcasts");
  expect(await statementOf(reply, { ...plain, quote_id: client_id })).toEqual(all);
});
