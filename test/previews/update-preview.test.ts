import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { HistoryPages } from "../../src/messages/history.ts";
import { requireMembership } from "../../src/rooms/access.ts";
import { createRoom } from "../../src/rooms/change.ts";
import { Bench } from "./support.ts";
import { eventually } from "../support/wait.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open();
});
afterEach(async () => {
  bench.storage.isAway = false;
  await bench.queue.reset();
});
afterAll(() => bench.close());

describe("a message's preview", () => {
  test("is found out, kept for seven days, and told to the room", async () => {
    const url = await bench.page("/a", "A");
    const id = await bench.post(url);
    expect(await bench.row(url)).toMatchObject({ title: "A", has_failed: false, is_image: false });
    expect((await bench.row(url))?.hours).toBeCloseTo(7 * 24, 0);
    expect([await bench.told(id), await bench.hasEmbeds(id)]).toEqual([1, true]);
  });

  test("is what is kept, while that has not expired", async () => {
    const url = await bench.page("/kept", "kept");
    await bench.post(url);
    const second = await bench.post(url);
    expect(bench.web.count("/kept")).toBe(1);
    expect([await bench.told(second), await bench.hasEmbeds(second)]).toEqual([1, true]);
  });

  test("is found out again once that has expired", async () => {
    const url = await bench.page("/again", "before");
    await bench.post(url);
    await bench.expire(url);
    await bench.page("/again", "after");
    const second = await bench.post(url);
    expect(await bench.row(url)).toMatchObject({ title: "after" });
    expect(await bench.told(second)).toBe(1);
  });

  test("that is fetched again reaches the cached pages of other rooms", async () => {
    const { sql, owner } = bench;
    const { db } = bench.queue.database;
    const other = await createRoom(db, owner, { name: "other", privacy: "open" });
    const url = await bench.page("/everywhere", "the first title");
    await bench.message(url, true, other);
    await bench.post(url);
    const pages = new HistoryPages(sql);
    const read = async () =>
      pages.read(owner, other, await requireMembership(sql, owner, other, "member"));
    expect(await read()).toContain("the first title");
    await bench.expire(url);
    await bench.page("/everywhere", "the second title");
    await bench.post(url);
    expect(await read()).toContain("the second title");
  });

  test("is the URL itself where that is a picture", async () => {
    bench.web.put("/p.png", "x", { "content-type": "image/png" });
    const id = await bench.post(bench.web.at("/p.png"));
    expect(await bench.row(bench.web.at("/p.png"))).toMatchObject({ is_image: true, title: null });
    expect(await bench.told(id)).toBe(1);
  });

  test("has its picture in the storage", async () => {
    const url = await bench.page("/pictured", "x", "red");
    await bench.post(url);
    const picture = (await bench.row(url))?.picture;
    expect(await bench.storage.exists(picture ?? "")).toBe(true);
  });

  test("is distinguished by the whole URL, however long it is", async () => {
    const url = `${await bench.page("/long", "long")}?${"x".repeat(7_900)}`;
    await bench.post(`${url}1`);
    await bench.post(`${url}2`);
    expect(bench.web.asked.filter((line) => line.includes("/long?"))).toHaveLength(2);
  });
});

describe("what fails", () => {
  test("is cached for an hour, and nothing is announced", async () => {
    const url = bench.web.at("/missing");
    const first = await bench.post(url);
    const second = await bench.post(url);
    expect(await bench.row(url)).toMatchObject({ has_failed: true });
    expect((await bench.row(url))?.hours).toBeCloseTo(1, 0);
    expect(bench.web.count("/missing")).toBe(1);
    for (const id of [first, second]) {
      expect([await bench.told(id), await bench.hasEmbeds(id)]).toEqual([0, false]);
    }
  });

  test("is retried after that", async () => {
    const url = bench.web.at("/mended");
    await bench.post(url);
    await bench.expire(url);
    await bench.page("/mended", "mended");
    expect(await bench.told(await bench.post(url))).toBe(1);
  });

  test("is a redirect that leads inside, which is kept too", async () => {
    bench.web.redirect("/inside", "http://127.0.0.1:1/");
    await bench.post(bench.web.at("/inside"));
    expect(await bench.row(bench.web.at("/inside"))).toMatchObject({ has_failed: true });
  });

  test("removes an older preview, and notifies the room", async () => {
    const url = await bench.page("/gone", "was there");
    await bench.post(url);
    await bench.expire(url);
    bench.web.page("/gone", (_, response) => void response.writeHead(410).end());
    const shown = await bench.message(url, true);
    await bench.bring(url, shown);
    expect(await bench.row(url)).toMatchObject({ has_failed: true, title: null });
    expect(await bench.told(shown)).toBe(1);
  });
});

describe("a message that changed meanwhile", () => {
  /** Does something to a message while its URL is being asked. */
  async function meanwhile(path: string, change: (id: string) => Promise<unknown>) {
    const { promise: changed, resolve } = Promise.withResolvers<void>();
    bench.web.page(path, async (_, response) => {
      await changed;
      response.end("<title>late</title>");
    });
    const url = bench.web.at(path);
    const id = await bench.message(url);
    const brought = bench.bring(url, id);
    await bench.web.untilAsked(path);
    await change(id);
    resolve();
    await brought;
    expect(await bench.row(url)).toMatchObject({ title: "late" });
    return id;
  }

  test.each([
    ["another URL", "http://other.example/"],
    ["none", null],
  ])("to %s hears nothing of the old one", async (_, url) => {
    const id = await meanwhile(`/edited-${url === null}`, (id) => bench.edit(id, url));
    expect([await bench.told(id), await bench.hasEmbeds(id)]).toEqual([0, false]);
  });

  test("by being deleted hears nothing", async () => {
    const id = await meanwhile(
      "/deleted",
      (id) => bench.sql`delete from messages where id = ${id}`,
    );
    const log = await bench.sql`select from room_log
      where message_id = ${id} and type = 'link_preview'`;
    expect(log).toHaveLength(0);
  });

  test("by its author leaving or being deactivated has its preview: it is the room's", async () => {
    const id = await meanwhile("/author-left", async () => {
      const { owner, room, sql } = bench;
      await sql`update users set is_active = false where id = ${owner}`;
      await sql`delete from memberships where user_id = ${owner} and room_id = ${room}`;
    });
    expect(await bench.told(id)).toBe(1);
    await bench.sql`update users set is_active = true where id = ${bench.owner}`;
  });

  test("by its room being deleted costs no request, and hears nothing", async () => {
    const { db } = bench.queue.database;
    const room = await createRoom(db, bench.owner, { name: "brief", privacy: "open" });
    const url = bench.web.at("/in-a-deleted-room");
    const id = await bench.message(url, false, room);
    // As the deletion of a large room leaves it for its job.
    await bench.sql`update rooms set deleted_at = now() where id = ${room}`;
    await bench.bring(url, id);
    expect(bench.web.count("/in-a-deleted-room")).toBe(0);
    expect(await bench.told(id)).toBe(0);
  });

  test("before its job began costs no request", async () => {
    const url = bench.web.at("/unwanted");
    const id = await bench.message(url);
    await bench.edit(id, null);
    await bench.bring(url, id);
    await bench.bring(url, Bun.randomUUIDv7());
    expect(bench.web.count("/unwanted")).toBe(0);
    expect(await bench.row(url)).toBeUndefined();
  });
});

describe("messages with one URL at once", () => {
  test("ask it once, and all messages get it", async () => {
    const { promise: go, resolve } = Promise.withResolvers<void>();
    bench.web.page("/popular", async (_, response) => {
      await go;
      response.end("<title>popular</title>");
    });
    const url = bench.web.at("/popular");
    const ids = await Promise.all([1, 2, 3].map(() => bench.message(url)));
    // Two processes' worth of runners.
    await Promise.all([bench.runner(), bench.runner()]);
    for (const id of ids) await bench.enqueue(url, id);
    await bench.web.untilAsked("/popular");
    // One asks; the others have looked, and wait for it.
    await eventually(async () => {
      const rows = await bench.queue.rows();
      return rows.filter((row) => row.in_seconds > 0.5).length >= 2;
    });
    resolve();
    await eventually(() => bench.queue.isEmpty());
    expect(bench.web.count("/popular")).toBe(1);
    expect(await Promise.all(ids.map((id) => bench.told(id)))).toEqual([1, 1, 1]);
  });

  test("do not wait for a process that is no more", async () => {
    const url = await bench.page("/left", "left");
    await bench.sql`insert into link_previews (url_hash, url, has_failed, expires_at, claimed_until)
      values (sha256(convert_to(${url}, 'UTF8')), ${url}, true, clock_timestamp() - interval '1 minute',
        clock_timestamp() - interval '1 second')`;
    expect(await bench.told(await bench.post(url))).toBe(1);
  });
});

describe("trouble in our own house", () => {
  test("with the storage fails the job, and another try brings it all", async () => {
    const url = await bench.page("/away", "away", "blue");
    const id = await bench.message(url);
    bench.storage.isAway = true;
    await expect(bench.bring(url, id)).rejects.toThrow("the storage is away");
    expect([await bench.told(id), (await bench.row(url))?.title]).toEqual([0, null]);
    bench.storage.isAway = false;
    await bench.bring(url, id);
    expect(await bench.told(id)).toBe(1);
    expect((await bench.row(url))?.picture).toBeString();
  });

  test("that stops a job leaves the URL to the next job at once", async () => {
    bench.web.page("/stopped", () => {});
    const url = bench.web.at("/stopped");
    const id = await bench.message(url);
    const stop = new AbortController();
    const brought = bench.bring(url, id, stop.signal);
    await bench.web.untilAsked("/stopped");
    stop.abort(new Error("stopped"));
    await expect(brought).rejects.toThrow("stopped");
    await bench.page("/stopped", "now");
    await bench.bring(url, id);
    expect(await bench.told(id)).toBe(1);
  });
});
