import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { pruneDeliveries, sweepExpired } from "../../jobs/prune.ts";
import { pruneLogs } from "../../src/feed/prune.ts";
import { readChanges } from "../../src/messages/events.ts";
import { createRoom } from "../../src/rooms/change.ts";
import { Queue } from "./support.ts";

let queue: Queue;
beforeAll(async () => {
  queue = await Queue.open();
});
afterEach(() => queue.reset());
afterAll(() => queue.close());

const ever = new AbortController().signal;

async function person(username: string): Promise<string> {
  const id = Bun.randomUUIDv7();
  await queue.sql`insert into users (id, username, email)
    values (${id}, ${username}, ${`${username}@example.org`})`;
  return id;
}

describe("prune_log", () => {
  const prune = (signal = ever) => pruneLogs(queue.sql, signal);
  let owner: string;
  beforeAll(async () => {
    owner = await person("owner");
  });

  /** A room whose log has these ages, in days, from its first number on. */
  async function room(name: string, ages: [count: number, days: number][]): Promise<string> {
    const id = await createRoom(queue.database.db, owner, { name, privacy: "open" });
    await queue.sql`delete from room_log where room_id = ${id}`;
    let seq = 0;
    for (const [count, days] of ages) {
      await queue.sql`insert into room_log (room_id, seq, type, created_at)
        select ${id}::uuid, n, 'room_updated', clock_timestamp() - ${days} * interval '1 day'
        from generate_series(${seq + 1}::int, ${seq + count}::int) as n`;
      seq += count;
    }
    await queue.sql`update rooms set last_seq = ${seq} where id = ${id}`;
    return id;
  }
  const kept = async (id: string) => {
    const rows = await queue.sql<{ seq: number }[]>`
      select seq from room_log where room_id = ${id} order by seq`;
    return rows.map((row) => row.seq);
  };
  const after = (id: string, seq: number) =>
    readChanges(queue.database, owner, id, { after: seq, limit: 10 });

  test("deletes what is older than 30 days, in every room, and leaves the rest", async () => {
    const old = await room("old", [
      [3, 31],
      [2, 29],
    ]);
    const quiet = await room("quiet", [[3, 90]]);
    const lively = await room("lively", [[3, 1]]);
    await prune();
    expect([await kept(old), await kept(quiet), await kept(lively)]).toEqual([
      [4, 5],
      [],
      [1, 2, 3],
    ]);
  });

  test("deletes more than one batch", async () => {
    const id = await room("long", [
      [10_001, 31],
      [1, 1],
    ]);
    await prune();
    expect(await kept(id)).toEqual([10_002]);
  });

  test("answers seq_gone for what was deleted, and leaves the rest readable", async () => {
    const id = await room("gone", [
      [3, 31],
      [2, 1],
    ]);
    await prune();
    await expect(after(id, 2)).rejects.toThrow("seq_gone");
    expect((await after(id, 3)).items.map((event) => event.seq)).toEqual([4, 5]);
  });

  test("leaves no hole if the clock went backwards", async () => {
    const id = await room("hole", [
      [2, 31],
      [1, 29],
      [2, 31],
      [1, 1],
    ]);
    await prune();
    expect(await kept(id)).toEqual([3, 4, 5, 6]);
  });

  test("ends soon when it is aborted", async () => {
    const id = await room("told", [[3, 31]]);
    await prune(AbortSignal.abort());
    expect(await kept(id)).toEqual([1, 2, 3]);
  });
});

describe("sweep", () => {
  test("deletes sign-ins that nobody finished, and logout tokens that have expired", async () => {
    const { sql } = queue.database;
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
    for (const [name, expires] of [
      ["old", at(-1)],
      ["new", at(1)],
    ] as const) {
      await sql`insert into login_challenges (hash, kind, expires_at)
        values (${Buffer.from(name)}, 'passkey', ${expires})`;
      await sql`insert into oidc_flows (state_hash, provider_id, nonce, verifier, browser_hash,
          return_to, purpose, expires_at)
        values (${Buffer.from(name)}, ${Bun.randomUUIDv7()}, '', '', '', '/', 'sign-in', ${expires})`;
      await sql`insert into used_logout_tokens (issuer, jti, expires_at)
        values ('x', ${name}, ${expires})`;
    }
    await sweepExpired(queue.database.db);
    const [left] = await sql`select (select array_agg(hash) from login_challenges) as challenges,
      (select array_agg(state_hash) from oidc_flows) as flows,
      (select array_agg(jti) from used_logout_tokens) as tokens`;
    const fresh = [Buffer.from("new")];
    expect(left).toEqual({ challenges: fresh, flows: fresh, tokens: ["new"] });
  });

  const hash = () => Buffer.from(Bun.randomUUIDv7());
  const run = () => sweepExpired(queue.database.db);
  const names = async (rows: PromiseLike<{ name: string }[]>) =>
    (await rows).map((row) => row.name);

  test("deletes sessions that have ended", async () => {
    const user = await person("ada");
    for (const [name, left] of [
      ["live", "1 hour"],
      ["dead", "-1 hour"],
    ] as const) {
      await queue.sql`insert into sessions (id, user_id, token_hash, user_agent, expires_at) values
        (${Bun.randomUUIDv7()}, ${user}, ${hash()}, ${name}, clock_timestamp() + ${left}::interval)`;
    }
    await run();
    expect(await names(queue.sql`select user_agent as name from sessions`)).toEqual(["live"]);
  });

  test("deletes failed jobs after a month", async () => {
    for (const [name, age] of [
      ["fresh", "29 days"],
      ["stale", "31 days"],
    ] as const) {
      await queue.sql`insert into jobs (id, kind, payload, max_attempts, last_error, failed_at) values
        (${Bun.randomUUIDv7()}, 'sweep', '{}', 1, ${name}, clock_timestamp() - ${age}::interval)`;
    }
    await run();
    expect(await names(queue.sql`select last_error as name from jobs`)).toEqual(["fresh"]);
  });

  test("deletes signup links 30 days after they have expired", async () => {
    for (const [email, left] of [
      ["live", "1 hour"],
      ["expired", "-29 days"],
      ["forgotten", "-31 days"],
    ] as const) {
      await queue.sql`insert into invites (id, token_hash, email, expires_at) values
        (${Bun.randomUUIDv7()}, ${hash()}, ${email}, clock_timestamp() + ${left}::interval)`;
    }
    await run();
    const left = await names(queue.sql`select email as name from invites order by email`);
    expect(left).toEqual(["expired", "live"]);
  });

  test("deletes expired rate limits", async () => {
    await queue.sql`insert into rate_limits (key, count, expires_at) values
      ('live', 1, clock_timestamp() + interval '1 hour'),
      ('over', 1, clock_timestamp() - interval '1 hour')`;
    await run();
    expect(await names(queue.sql`select key as name from rate_limits`)).toEqual(["live"]);
  });
});

test("prune_deliveries deletes what is older than 30 days, however much it is", async () => {
  const owner = await person("hook-owner");
  const room = await createRoom(queue.database.db, owner, { name: "hooks", privacy: "open" });
  const hook = Bun.randomUUIDv7();
  await queue.sql`
    insert into outgoing_webhooks (id, room_id, name, url, events, secret, created_by, after_seq)
    values (${hook}, ${room}, 'x', 'http://x.invalid/', '{message.created}', '', ${owner}, 0)`;
  const add = (count: number, days: number) => {
    const at = Date.now() - days * 24 * 3_600_000;
    const ids = Array.from({ length: count }, () => Bun.randomUUIDv7("hex", at));
    return queue.sql`
      insert into webhook_deliveries (id, hook_id, event, body, state, created_at)
      select id, ${hook}, 'message.created', '{}', 'failed', ${new Date(at)}
      from unnest(${ids}::uuid[]) as id`;
  };
  await add(2_500, 31);
  await add(3, 29);
  await pruneDeliveries(queue.sql, ever);
  const [left] = await queue.sql`select count(*)::int as n,
    count(*) filter (where created_at > now() - interval '30 days')::int as fresh
    from webhook_deliveries`;
  expect(left).toEqual({ n: 3, fresh: 3 });
});

test("prune_deliveries leaves the newest ten thousand of a busy webhook, and all pending ones", async () => {
  const owner = await person("busy-owner");
  const room = await createRoom(queue.database.db, owner, { name: "busy", privacy: "open" });
  const hook = Bun.randomUUIDv7();
  await queue.sql`
    insert into outgoing_webhooks (id, room_id, name, url, events, secret, created_by, after_seq)
    values (${hook}, ${room}, 'x', 'http://x.invalid/', '{message.created}', '', ${owner}, 0)`;
  await queue.sql`
    insert into webhook_deliveries (id, hook_id, event, body, state, next_at)
    select lpad(to_hex(n), 32, '0')::uuid, ${hook}, 'message.created', '{}',
      case when n = 1 then 'pending' else 'failed' end, case when n = 1 then now() end
    from generate_series(1, 12000) n`;
  await pruneDeliveries(queue.sql, ever);
  const [left] = await queue.sql`select count(*)::int as n,
    count(*) filter (where state = 'pending')::int as pending from webhook_deliveries
    where hook_id = ${hook}`;
  expect(left).toEqual({ n: 10_001, pending: 1 });
});

test("sweep keeps the newest ten thousand failed jobs", async () => {
  await queue.sql`
    insert into jobs (id, kind, payload, max_attempts, failed_at)
    select lpad(to_hex(n), 32, '0')::uuid, 'of_tomorrow', '{}', 1, now()
    from generate_series(1, 10050) n`;
  await sweepExpired(queue.database.db);
  const [left] = await queue.sql`select count(*)::int as n, min(id::text) as first from jobs
    where failed_at is not null`;
  expect(left).toEqual({ n: 10_000, first: "00000000-0000-0000-0000-000000000033" });
});
