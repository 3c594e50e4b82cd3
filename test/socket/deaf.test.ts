import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deactivate } from "../../src/accounts/administer.ts";
import { type Service, startService } from "../../src/service.ts";
import { Client } from "../support/client.ts";
import { StallingProxy } from "../support/stalling-proxy.ts";
import { testConfig, World } from "../support/world.ts";

/** An instance whose LISTEN connection is half open: it hears no signal and no hint. */
let deaf: Service;
let world: World;
let proxy: StallingProxy;
let owner: Client;
beforeAll(async () => {
  world = await World.start();
  proxy = new StallingProxy(world.target);
  deaf = await startService(testConfig(world.settings), proxy.target);
  proxy.stallListening();
  owner = await world.person("owner");
});
afterAll(async () => {
  await deaf.stop();
  proxy.close();
  await world.stop();
});

/** The same caller, at the instance that hears nothing. */
const there = ({ cookie, user, token }: Client) => new Client(deaf.address, cookie, user, token);

/** Each frame that does something, about a room and a message of the sender's in it. */
const frames = (room_id: string, message_id: string) => ({
  join: { room_id },
  message: { room_id, content: "still here", client_id: crypto.randomUUID() },
  edit: { message_id, content: "changed" },
  delete: { message_id },
  react: { message_id, emoji: "👍" },
  typing: { room_id },
});

describe("where no signal arrives, a frame is refused and closes with 4401", () => {
  test.each(["join", "message", "edit", "delete", "react", "typing"] as const)(
    "%s, of a person whose session has ended",
    async (type) => {
      const person = await world.person(`session-${type}`);
      const roomId = await world.room(`session-${type}`, owner, [person]);
      const { id } = await person.say(roomId, "before");
      const socket = await there(person).socket();
      if (type !== "join") await socket.join(roomId);
      await person.post("/api/auth/logout");
      socket.send({ type, ...frames(roomId, id)[type] });
      expect(await socket.next("error")).toMatchObject({ code: "unauthenticated" });
      expect((await socket.closing()).code).toBe(4401);
      const { body } = await owner.get(`/api/rooms/${roomId}/messages`);
      expect(body.items).toMatchObject([{ content: "before", reactions: [] }]);
    },
  );

  test("of a deactivated person and of a bot whose token was revoked", async () => {
    const person = await world.person("deactivated");
    const bot = await world.bot("revoked", ["read:messages", "write:messages"]);
    const roomId = await world.room("gone", owner, [person, bot]);
    const sockets = [await there(person).socket(), await there(bot).socket()];
    await world.administer("deactivated", deactivate);
    await world.database
      .sql`update api_tokens set revoked_at = now() where user_id = ${bot.user.id}`;
    for (const [i, code] of ["unauthenticated", "invalid_token"].entries()) {
      sockets[i]?.send({ type: "join", room_id: roomId });
      expect(await sockets[i]?.next("error")).toMatchObject({ code });
      expect((await sockets[i]?.closing())?.code).toBe(4401);
    }
  });
});
