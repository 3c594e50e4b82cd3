import { expect } from "bun:test";
import { createSigningSecret, WEBHOOK_SECRET } from "../../src/webhooks/outgoing/secret.ts";
import { CODES } from "../../src/wire/codes.ts";
import { type Answer, type Client, expectProblem } from "../support/client.ts";
import { PNG } from "../support/images.ts";
import type { World } from "../support/world.ts";
import type { Cast, Outcome, Place, PlaceKind } from "./table.ts";
import { sealValue } from "../../src/platform/secrets/sealed.ts";

/** @returns a function that creates a room for one call, so that calls do not affect each other */
export async function placesOf(world: World, cast: Cast) {
  const { owner, roomAdmin, member } = cast;
  const [target, newcomer] = (await Promise.all(
    ["target", "newcomer"].map((name) => world.person(name)),
  )) as [Client, Client];
  const uploaded = await member.upload(`/api/rooms/${cast.rooms.open}/images`, PNG);
  /** The hash of one image, which each place refers to in its own row. */
  const image = uploaded.body.url.split("/").at(-1);
  let rooms = 0;

  return async (kind: PlaceKind, more: Client[] = []): Promise<Place> => {
    const privacy = kind === "open" ? "open" : "private";
    const inside = [member, target, ...more];
    const { sql } = world.database;
    const [room, file, hook, delivery, incoming] = Array.from({ length: 5 }, () =>
      Bun.randomUUIDv7(),
    ) as [string, string, string, string, string];
    const seats = [
      [owner, "owner"] as const,
      [roomAdmin, "admin"] as const,
      ...inside.map((client) => [client, "member"] as const),
    ];
    // In one statement, since hundreds of places are created.
    await sql`with room as (
        insert into rooms (id, name, privacy, member_count)
        values (${room}, ${`matrix-${rooms++}`}, ${privacy}, ${seats.length})
      ), seats as (
        insert into memberships (room_id, user_id, role) select ${room}::uuid, * from unnest(
          ${seats.map(([{ user }]) => user.id)}::uuid[], ${seats.map(([, role]) => role)}::text[])
      ), image as (
        insert into message_images (id, room_id, uploader_id, sha256, mime, width, height, size_bytes)
        select ${file}::uuid, ${room}::uuid, uploader_id, sha256, mime, width, height, size_bytes
        from message_images limit 1
      ), file as (
        insert into message_files (id, room_id, uploader_id, sha256, name, mime, size_bytes)
        select ${file}::uuid, ${room}::uuid, uploader_id, sha256, 'x', mime, size_bytes
        from message_images limit 1
      ), hook as (
        -- To where Snug does not call: a test is made and fails, and nothing leaves this machine.
        insert into outgoing_webhooks (id, room_id, name, url, events, secret, created_by, after_seq)
        values (${hook}, ${room}, 'x', 'http://10.0.0.1/', '{message.created}',
          ${sealValue([Buffer.alloc(32)], WEBHOOK_SECRET, createSigningSecret())}, ${owner.user.id}, 1)
      ), delivery as (
        insert into webhook_deliveries (id, hook_id, event, body, state)
        values (${delivery}, ${hook}, 'message.created', '{}', 'failed')
      )
      insert into incoming_webhooks (id, room_id, name, token_hash, created_by)
      values (${incoming}, ${room}, 'x', ${Buffer.from(incoming)}, ${owner.user.id})`;
    // A message uses the uploads, because unused ones are limited per person.
    const uploads = { image_id: file, file_id: file };
    const message = (await member.say(room, "the member's", uploads)).id;
    if (kind === "former conversation") {
      await sql`update rooms set private_until_seq = last_seq where id = ${room}`;
    }
    await sql`with reply as (
        insert into messages (id, room_id, seq, author_id, content, thread_id, has_embeds)
        values (${Bun.randomUUIDv7()}, ${room}, 0, ${target.user.id}, 'a reply', ${message}, true)
      )
      insert into threads (message_id, room_id, reply_count, last_reply_seq, last_reply_at, last_author_ids)
      values (${message}, ${room}, 1, 0, now(), ${[target.user.id]})`;
    const ids = { target: target.user.id, newcomer: newcomer.user.id };
    return { room, ...ids, message, image, file, hook, delivery, incoming };
  };
}

/** The path of a route with unknown ids. */
export function addressOf(route: string): string {
  return (route.split(" ")[1] ?? "").replace(/:[a-z_]+/g, () => Bun.randomUUIDv7());
}

export function call(client: Client, route: string, path: string, body: unknown): Promise<Answer> {
  const [method = ""] = route.split(" ");
  return client.call(method, path, body);
}

export function expectOutcome(answer: Answer, outcome: Outcome): void {
  if (typeof outcome === "number") expect(answer.status).toBe(outcome);
  else expectProblem(answer, CODES[outcome][0], outcome);
}
