import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { IncomingWebhook } from "@slack/webhook";
import examples from "@octokit/webhooks-examples" with { type: "json" };
import { sign } from "@octokit/webhooks-methods";
import { toPlainResponse } from "../../../src/webhooks/incoming/plain-response.ts";
import { Refusal } from "../../../src/platform/refusal.ts";
import type { Transaction } from "../../../src/database/connect.ts";
import { commitDuring } from "../../support/blocked.ts";
import { type Client, expectProblem } from "../../support/client.ts";
import { World } from "../../support/world.ts";

let world: World;
let owner: Client;
let member: Client;
let room: string;
let address: string;
beforeAll(async () => {
  world = await World.start();
  owner = await world.person("owner", { displayName: "The Owner" });
  member = await world.person("member");
  room = await world.room("alerts", owner, [member]);
  address = await createAddress();
});
afterAll(() => world.stop());

async function createAddress(more = {}): Promise<string> {
  const answer = await owner.post(`/api/rooms/${room}/incoming-webhooks`, { name: "CI", ...more });
  expect(answer.status).toBe(201);
  // At the port that this service really has.
  return world.service.address + new URL(answer.body.url).pathname;
}

const send = (body: string, headers: Record<string, string> = {}, url = address) =>
  fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
const post = (payload: unknown, headers = {}, url = address) =>
  send(JSON.stringify(payload), headers, url);
const last = async () =>
  (await member.get(`/api/rooms/${room}/messages?limit=1`)).body.items.at(-1);
async function expectAnswer(answer: Response, status: number, text: string) {
  expect([answer.status, await answer.text()]).toEqual([status, text]);
  expect(answer.headers.get("content-type")).toStartWith("text/plain");
}

describe("a post to an incoming webhook", () => {
  test("posts into one thread what comes with the same key, each webhook its own", async () => {
    const other = await createAddress({ name: "Other" });
    const texts = ["begun", "running", "green"];
    const answers = await Promise.all(texts.map((text) => post({ text, thread_key: "build-42" })));
    for (const answer of answers) await expectAnswer(answer, 200, "ok");
    await expectAnswer(
      await post({ text: "theirs", thread_key: "build-42" }, {}, other),
      200,
      "ok",
    );
    const read = async () => (await member.get(`/api/rooms/${room}/messages?limit=20`)).body.items;
    const items = await read();
    const roots = items.filter(({ thread }: { thread: object | null }) => thread);
    expect(roots).toMatchObject([{ thread: { reply_count: 2, author_ids: [] } }]);
    const [root] = roots;
    const replies = items.filter((item: { thread_id: string }) => item.thread_id === root.id);
    expect([root, ...replies].map(({ content }) => content).toSorted()).toEqual(texts.toSorted());
    expect(items.at(-1)).toMatchObject({ content: "theirs", thread_id: null, thread: null });
    // Where the root was deleted, or threads are off, a post is a message of its own.
    await owner.delete(`/api/messages/${root.id}`);
    await post({ text: "a new root", thread_key: "build-42" });
    await post({ text: "a new reply", thread_key: "build-42" });
    await owner.patch(`/api/rooms/${room}`, { threads: "off" });
    await post({ text: "alone", thread_key: "build-43" });
    await post({ text: "alone too", thread_key: "build-43" });
    await owner.patch(`/api/rooms/${room}`, { threads: "on" });
    const [newRoot, newReply, ...alone] = (await read()).slice(-4);
    expect(newReply).toMatchObject({ thread_id: newRoot.id });
    for (const message of alone) expect(message).toMatchObject({ thread_id: null, thread: null });
  });

  test("posts a message under the webhook's name, with a bot mark, to everyone in the room", async () => {
    const socket = await member.socket();
    await socket.join(room);
    await expectAnswer(await post({ text: "*Build* <https://ci.example|42> passed" }), 200, "ok");
    const { message } = await socket.next("message");
    expect(message).toMatchObject({
      content: "**Build** [42](https://ci.example) passed",
      via: { kind: "incoming_webhook", name: "CI", icon_emoji: null },
      author: { display_name: "CI", avatar_url: null, is_bot: true, is_active: true },
    });
    expect(message.author.id).not.toBe(owner.user.id);
    expect(JSON.stringify(message)).not.toContain("owner");
    const { id, via, author, seq } = message;
    expect(await last()).toMatchObject({ id, via, author, seq });
    // It has no author: not even the webhook's creator can edit it.
    const edit = await owner.patch(`/api/messages/${id}`, { content: "I did" });
    expectProblem(edit, 403, "not_author");
    socket.close();
  });

  test("sets its name and emoji, and mentions people", async () => {
    await post({ text: "@member look", username: "Deploy\u202ebot", icon_emoji: ":rocket:" });
    expect(await last()).toMatchObject({
      via: { name: "Deploy bot", icon_emoji: "🚀" },
      mentions: [{ username: "member" }],
    });
    const rooms = (await member.get("/api/rooms")).body.items;
    expect(rooms[0].membership).toMatchObject({ unread: true, mention_count: 1 });
    // It notifies the webhook's creator too.
    expect((await owner.get("/api/rooms")).body.items[0].membership.unread).toBe(true);
  });

  test("may be a form, and its channel is ignored", async () => {
    const form = new URLSearchParams({
      payload: JSON.stringify({ text: "formed", channel: "#x" }),
    });
    const answer = await fetch(address, { method: "POST", body: form });
    await expectAnswer(answer, 200, "ok");
    expect((await last()).content).toBe("formed");
  });

  test("may begin with a byte order mark", async () => {
    await expectAnswer(await send('\ufeff{"text":"marked"}'), 200, "ok");
    expect((await last()).content).toBe("marked");
  });

  test("that is too long is truncated", async () => {
    await post({ text: "ü".repeat(9_000) });
    const { content } = await last();
    expect([...content]).toHaveLength(8_000);
    expect(content).toEndWith("…");
  });

  test.each([
    ["not JSON", "{", 400, "invalid_payload"],
    ["a list", "[]", 400, "invalid_payload"],
    ["no text", "{}", 400, "no_text"],
    ["blank text", '{"text":" "}', 400, "no_text"],
    ["too much", JSON.stringify({ text: "x".repeat(1_100_000) }), 413, "too_large"],
  ])("of %s is refused in one word", async (_, body, status, word) => {
    await expectAnswer(await send(body), status, word);
  });

  test("is answered in plain text for any address under /hooks", async () => {
    const get = await fetch(address);
    expect(get.headers.get("allow")).toBe("POST");
    await expectAnswer(get, 405, "method_not_allowed");
    await expectAnswer(await post({ text: "x" }, {}, `${address}/more`), 404, "no_service");
    const foreign = { origin: "https://elsewhere.example", cookie: owner.cookie ?? "" };
    await expectAnswer(await post({ text: "x" }, foreign), 403, "action_prohibited");
  });

  test.each([
    ["unavailable", 503, "service_unavailable", "7"],
    ["rate_limited", 503, "service_unavailable", "7"],
    ["internal", 500, "server_error", null],
  ] as const)("that meets %s is answered %d %s, never 429", async (code, status, word, retry) => {
    const answer = toPlainResponse(new Refusal(code, "Too much.", { retryAfter: 7 }));
    expect(answer.headers.get("retry-after")).toBe(retry);
    await expectAnswer(answer, status, word);
  });

  test("drops only what PostgreSQL cannot store", async () => {
    await expectAnswer(await send('{"text":"a\\u0000b\\ud800","username":"\\ud800x"}'), 200, "ok");
    expect(await last()).toMatchObject({ content: "ab\ufffd", via: { name: "\ufffdx" } });
  });

  test("to an invalid address is refused", async () => {
    await expectAnswer(await post({ text: "x" }, {}, `${address}x`), 404, "no_service");
    const other = address.slice(0, -1) + (address.endsWith("A") ? "B" : "A");
    await expectAnswer(await post({ text: "x" }, {}, other), 404, "no_service");
  });

  test("of three hundred at once posts each once", async () => {
    const words = Array.from({ length: 300 }, (_, i) => `burst ${i}`);
    const answers = await Promise.all(words.map((text) => post({ text })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const rows = await world.database.sql`
      select content from messages where room_id = ${room} and content like 'burst %'`;
    expect(rows.map(({ content }) => content).toSorted()).toEqual(words.toSorted());
  });

  test("is refused if the webhook is deleted while the post waits for its room", async () => {
    const place = await world.room("waiting", owner, [member]);
    const response = await owner.post(`/api/rooms/${place}/incoming-webhooks`, { name: "Gone" });
    const url = world.service.address + new URL(response.body.url).pathname;
    const end = async (tx: Transaction) => {
      await tx.execute(`select from rooms where id = '${place}' for no key update`);
      await tx.execute(`delete from incoming_webhooks where room_id = '${place}'`);
    };
    const answer = await commitDuring(world, end, () => post({ text: "too late" }, {}, url));
    await expectAnswer(answer, 404, "no_service");
    expect((await member.get(`/api/rooms/${place}/messages`)).body.items).toEqual([]);
  });

  test("works after its creator has left, under its own name, until the room is archived", async () => {
    const place = await world.room("handed-over", owner, [member]);
    const response = await owner.post(`/api/rooms/${place}/incoming-webhooks`, {
      name: "Old hand",
    });
    const url = world.service.address + new URL(response.body.url).pathname;
    await owner.post(`/api/rooms/${place}/transfer`, { user_id: member.user.id });
    await owner.post(`/api/rooms/${place}/leave`);
    await world.database.sql`update users set is_active = false where id = ${owner.user.id}`;
    await expectAnswer(await post({ text: "still here" }, {}, url), 200, "ok");
    const { items } = (await member.get(`/api/rooms/${place}/messages`)).body;
    await world.database.sql`update users set is_active = true where id = ${owner.user.id}`;
    expect(items.at(-1)).toMatchObject({
      content: "still here",
      via: { name: "Old hand" },
      author: { display_name: "Old hand", is_active: true },
    });
    expect(JSON.stringify(items)).not.toContain(owner.user.id);
    await world.database.sql`update rooms set is_archived = true where id = ${place}`;
    await expectAnswer(await post({ text: "x" }, {}, url), 410, "channel_is_archived");
  });
});

describe("a payload in another encoding", () => {
  const json = '{"text":"Grüße: {é}"}';
  const form = `payload=${encodeURIComponent(json)}`;
  test.each<[string, Buffer, string]>([
    ["a byte order mark", Buffer.from(`\ufeff${json}`), "application/json"],
    ["ISO-8859-1", Buffer.from(json, "latin1"), "application/json; charset=ISO-8859-1"],
    ["Windows-1252", Buffer.from(json, "latin1"), 'application/json;charset="windows-1252"'],
    ["UTF-16", Buffer.from(`\ufeff${json}`, "utf16le"), "text/json; charset=utf-16"],
    ["an unknown charset", Buffer.from(json), "application/json; charset=x-unknown"],
    ["a form", Buffer.from(form), "application/x-www-form-urlencoded; charset=utf-8"],
    ["a form with other fields", Buffer.from(`a=b&${form}`), "application/x-www-form-urlencoded"],
    ["a form that is called JSON", Buffer.from(form), "application/json"],
    ["a form that is called text", Buffer.from(form), "text/plain"],
    ["JSON that is called a form", Buffer.from(json), "application/x-www-form-urlencoded"],
    ["JSON in a form without its escapes", Buffer.from(`payload=${json}`), "text/plain"],
  ])("is read: %s", async (_, body, type) => {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": type },
      body: new Uint8Array(body),
    });
    await expectAnswer(answer, 200, "ok");
    expect((await last()).content).toBe("Grüße: {é}");
  });
});

describe("existing programs", () => {
  test("@slack/webhook posts and reads the answer", async () => {
    const client = new IncomingWebhook(address, { username: "Slack client" });
    const { text } = await client.send({ text: "from a client", icon_emoji: ":tada:" });
    expect(text).toBe("ok");
    expect(await last()).toMatchObject({
      content: "from a client",
      via: { name: "Slack client", icon_emoji: "🎉" },
    });
    await client.send({ text: "" }).then(
      () => expect.unreachable(),
      (error) => expect(error.code).toBe("slack_webhook_http_error"),
    );
  });

  test("Alertmanager's own form", async () => {
    const alert = (status: string, instance: string, summary: string) => ({
      status,
      labels: { alertname: "HighLatency", instance, severity: "page" },
      annotations: { summary },
      startsAt: "2026-11-01T10:00:00Z",
      endsAt: "0001-01-01T00:00:00Z",
      generatorURL: "http://prometheus.example/graph?g0",
      fingerprint: "x",
    });
    await post({
      version: "4",
      groupKey: '{}:{alertname="HighLatency"}',
      truncatedAlerts: 0,
      status: "firing",
      receiver: "snug",
      groupLabels: { alertname: "HighLatency" },
      commonLabels: { alertname: "HighLatency", severity: "page" },
      commonAnnotations: {},
      externalURL: "http://alertmanager.example",
      alerts: [
        alert("firing", "api-1", "p99 is *bad*"),
        alert("resolved", "api-2", "p99 on api-2"),
      ],
    });
    expect((await last()).content).toBe(
      [
        "🔥 **Firing: [HighLatency](http://alertmanager.example)**",
        "- p99 is \\*bad\\* (api-1) · [source](http://prometheus.example/graph?g0)",
        "- resolved: p99 on api-2 · [source](http://prometheus.example/graph?g0)",
      ].join("\n"),
    );
  });

  test.each<[object, string]>([
    [{ status: "firing", alerts: [] }, "🔥 **Firing: Alerts**"],
    [{ status: "resolved", alerts: [] }, "✅ **Resolved: Alerts**"],
    [{ status: "resolved", alerts: [{}] }, "✅ **Resolved: Alerts**\n- An alert without labels"],
    [
      { status: "firing", alerts: [{ labels: { job: "api" }, annotations: null }], title: "*T*" },
      "🔥 **Firing: \\*T\\***\n- job=api",
    ],
  ])("Alertmanager's form with parts missing: %j", async (payload, text) => {
    await post(payload);
    expect((await last()).content).toBe(text);
  });

  test("Grafana's own form", async () => {
    await post({
      receiver: "snug",
      status: "resolved",
      orgId: 1,
      alerts: [
        {
          status: "resolved",
          labels: { alertname: "Disk full", grafana_folder: "infra" },
          annotations: {},
          dashboardURL: "http://grafana.example/d/abc",
          panelURL: "http://grafana.example/d/abc?viewPanel=2",
          silenceURL: "http://grafana.example/silence",
          valueString: "[ var='A' value=93 ]",
        },
      ],
      groupLabels: { alertname: "Disk full" },
      commonLabels: { alertname: "Disk full" },
      externalURL: "http://grafana.example/",
      version: "1",
      title: "[RESOLVED] Disk full",
      state: "ok",
      message: "…",
    });
    expect((await last()).content).toBe(
      "✅ **Resolved: [Disk full](http://grafana.example/)**\n- alertname=Disk full, grafana_folder=infra · [source](http://grafana.example/d/abc?viewPanel=2) · [silence](http://grafana.example/silence)",
    );
  });

  test("Grafana's and Alertmanager's Slack form", async () => {
    await post({
      channel: "#alerts",
      username: "Grafana",
      icon_emoji: ":warning:",
      attachments: [
        {
          title: "[FIRING:1] Disk full (infra)",
          title_link: "http://grafana.example/alerting/list",
          text: "**Firing**\n\nValue: A=93",
          fallback: "[FIRING:1] Disk full",
          color: "#D63232",
          footer: "Grafana v11",
          mrkdwn_in: ["fallback", "pretext", "text"],
        },
      ],
    });
    expect(await last()).toMatchObject({
      content:
        "**[[FIRING:1] Disk full (infra)](http://grafana.example/alerting/list)**\n**Firing**\n\nValue: A=93\nGrafana v11",
      via: { name: "Grafana", icon_emoji: "⚠️" },
    });
  });
});

describe("GitHub", () => {
  type Example = { name: string; examples: { action?: string }[] };
  const all = examples as unknown as Example[];
  const exampleOf = (event: string, action?: string) =>
    all
      .find(({ name }) => name === event)
      ?.examples.find((example) => !action || example.action === action);
  const POSTED: [event: string, action: string | undefined, text: RegExp][] = [
    [
      "push",
      undefined,
      /^\*\*\[.+\]\(https:\/\/github\.com\/.+\)\*\* \[\w+\]\(.+\) (?:pushed|deleted|made)/,
    ],
    ["pull_request", "opened", /opened pull request \[\\#\d+\]\(https:.+\) .+/],
    ["issues", "opened", /opened issue \[\\#\d+\]\(https:.+\) .+/],
    ["issue_comment", "created", /\[commented\]\(https:.+\) on .+\n> .+/],
    ["release", "published", /released \[\*\*.+\*\*\]\(https:.+\)/],
    ["workflow_run", "completed", /^[✅❌⚪] .+ on `.+`$/u],
    ["ping", undefined, /is connected\.$/],
  ];

  test.each(POSTED)("%s %s is posted", async (event, action, text) => {
    const example = exampleOf(event, action);
    expect(example).toBeDefined();
    const answer = await post(example, { "x-github-event": event, "x-github-delivery": "1" });
    await expectAnswer(answer, 200, "ok");
    expect(await last()).toMatchObject({
      content: expect.stringMatching(text),
      via: { name: "GitHub" },
    });
  });

  test("every example of every event is accepted, and only some post a message", async () => {
    const before = await last();
    await post(exampleOf("watch"), { "x-github-event": "watch" });
    expect((await last()).id).toBe(before.id);
    for (const { name, examples } of all) {
      for (const example of examples.slice(0, 2)) {
        const answer = await post(example, { "x-github-event": name });
        expect([name, answer.status]).toEqual([name, 200]);
      }
    }
  });

  const gitea = { "x-github-event": "push", "x-gitea-event": "push", "x-gogs-event": "push" };

  test.each(["push", "issues", "issue_comment", "release", "create", "pull_request"])(
    "is not who sends Slack's form under its header, with %s: Gitea, Forgejo and Gogs do",
    async (event) => {
      const payload = {
        text: `[<https://git.test/o/r|o/r>] ${event} by mia`,
        username: "Gitea",
        attachments: [{ text: "*one*" }],
      };
      const answer = await post(payload, { ...gitea, "x-github-event": event });
      await expectAnswer(answer, 200, "ok");
      expect(await last()).toMatchObject({
        content: `[[o/r](https://git.test/o/r)] ${event} by mia\n\n**one**`,
        via: { name: "Gitea" },
      });
    },
  );

  test("is not who sends the events of Gitea, which are posted under the webhook's name", async () => {
    const commits = Array.from({ length: 5 }, (_, i) => ({
      id: `${i}234567890`,
      message: `Commit ${i}`,
      url: `https://git.test/o/r/commit/${i}`,
    }));
    const payload = {
      ref: "refs/heads/main",
      before: "28e1879d029cb852e4844d9c718537df08844e03",
      after: "bffeb74224043ba2feb48d137756c8a9331c449a",
      compare_url: "https://git.test/o/r/compare/a...b",
      total_commits: 30,
      commits,
      repository: { full_name: "o/r", html_url: "https://git.test/o/r" },
      pusher: { username: "mia" },
      sender: { login: "mia", username: "mia" },
    };
    await expectAnswer(await post(payload, gitea), 200, "ok");
    const { content, via } = await last();
    expect(via.name).toBe("CI");
    expect(content).toContain(
      "mia pushed [30 commits](https://git.test/o/r/compare/a...b) to `main`",
    );
    expect(content).toEndWith("and 25 more");
    // Gogs has its own header alone, and the body tells it from GitHub too.
    await expectAnswer(await post(payload, { "x-gogs-event": "push" }), 200, "ok");
    await expectAnswer(await post(payload, { "x-github-event": "push" }), 200, "ok");
    expect((await last()).via.name).toBe("CI");
  });

  test("learns of a payload that is not understood, and not of one that is ignored", async () => {
    await expectAnswer(await post({ ref: "x" }, { "x-github-event": "push" }), 400, "no_text");
    const ignored = { action: "started", sender: { login: "a" }, repository: { full_name: "o/r" } };
    await expectAnswer(await post(ignored, { "x-github-event": "watch" }), 200, "ok");
  });

  test("is imitated by Gogs, which names who pushed beside the sender", async () => {
    const commits = [{ id: "1234567890", message: "Commit", url: "https://git.test/c" }];
    const payload = {
      ref: "refs/heads/main",
      commits,
      repository: { full_name: "o/r" },
      pusher: { login: "mia", username: "mia" },
    };
    await expectAnswer(await post(payload, { "x-gogs-event": "push" }), 200, "ok");
    expect((await last()).content).toContain("mia pushed 1 commit to `main`");
  });

  test.each<[string, object]>([
    ["GitLab", { object_kind: "push", project: { name: "x" }, commits: [] }],
    ["Bitbucket", { actor: { display_name: "a" }, repository: { full_name: "o/r" }, push: {} }],
    ["Discord's form", { username: "Gitea", embeds: [{ title: "x" }] }],
    ["Matrix's form", { msgtype: "m.notice", body: "b" }],
    ["Feishu's form", { msg_type: "text", content: { text: "x" } }],
  ])("is not who sends %s, and its sender learns that it is not understood", async (_, payload) => {
    await expectAnswer(await post(payload, { "x-gitlab-event": "Push Hook" }), 400, "no_text");
  });

  test("names a run without a name by its workflow, its title or its number", async () => {
    const run = { conclusion: "success", html_url: "https://github.test/r/1", run_number: 7 };
    const more = { action: "completed", sender: { login: "a" }, repository: { full_name: "o/r" } };
    const send = (payload: object) =>
      post({ ...more, ...payload }, { "x-github-event": "workflow_run" });
    await send({ workflow: { name: "CI" }, workflow_run: { ...run, name: null } });
    expect((await last()).content).toContain("[CI](https://github.test/r/1)");
    await send({ workflow_run: { ...run, display_title: "Fix_a [b]" } });
    expect((await last()).content).toContain("[Fix_a [b]](https://github.test/r/1)");
    await send({ workflow_run: run });
    expect((await last()).content).toContain("[run #7](https://github.test/r/1)");
  });

  test("keeps the address in a commit's title whole", async () => {
    const commits = [{ id: "1234567", message: "See https://e.test/a_b_c*d and 1. _x_" }];
    const more = { ref: "refs/heads/x", sender: { login: "a" }, repository: { full_name: "o/r" } };
    await post({ commits, ...more }, { "x-github-event": "push" });
    expect((await last()).preview_url).toBe("https://e.test/a_b_c*d");
  });

  test("signs, if the webhook has a secret", async () => {
    const url = await createAddress({ name: "Signed", secret: "It's a secret" });
    const body = JSON.stringify(exampleOf("ping"));
    const event = { "x-github-event": "ping" };
    await expectAnswer(await send(body, event, url), 401, "invalid_signature");
    const wrong = { ...event, "x-hub-signature-256": await sign("another", body) };
    await expectAnswer(await send(body, wrong, url), 401, "invalid_signature");
    const right = { ...event, "x-hub-signature-256": await sign("It's a secret", body) };
    await expectAnswer(await send(body, right, url), 200, "ok");
    const [row] = await world.database.sql`
      select github_secret from incoming_webhooks where github_secret is not null`;
    expect(row?.github_secret.toString("latin1")).not.toContain("secret");
  });
});

describe("the settings", () => {
  const PATH = () => `/api/rooms/${room}/incoming-webhooks`;

  test("show the address once, and it stops working with the webhook", async () => {
    const { body } = await owner.post(PATH(), { name: " Once " });
    expect(body.url).toMatch(/\/hooks\/[\w-]{43}$/);
    const { items } = (await owner.get(PATH())).body;
    const listed = items.find(({ id }: { id: string }) => id === body.id);
    expect(listed).toMatchObject({
      name: "Once",
      has_secret: false,
      may_pin: false,
      bot: null,
      last_used_at: null,
    });
    expect(JSON.stringify(items)).not.toContain(body.url.split("/").at(-1));
    const url = world.service.address + new URL(body.url).pathname;
    expect((await post({ text: "x" }, {}, url)).status).toBe(200);
    const used = (await owner.get(PATH())).body.items.find(
      ({ id }: { id: string }) => id === body.id,
    );
    expect(used.last_used_at).toEndWith("Z");
    expect((await owner.delete(`${PATH()}/${body.id}`)).status).toBe(204);
    await expectAnswer(await post({ text: "x" }, {}, url), 404, "no_service");
    expectProblem(await owner.delete(`${PATH()}/${body.id}`), 404, "webhook_not_found");
  });

  test("let only a bot of the room post for it", async () => {
    const bot = await world.bot("speaker", ["write:messages"]);
    expectProblem(
      await owner.post(PATH(), { name: "x", bot_id: bot.user.id }),
      422,
      "unknown_user",
    );
    expectProblem(
      await owner.post(PATH(), { name: "x", bot_id: member.user.id }),
      422,
      "unknown_user",
    );
    await owner.post(`/api/rooms/${room}/members`, { user_id: bot.user.id });
    const url = await createAddress({ bot_id: bot.user.id });
    await post({ text: "as a bot" }, {}, url);
    expect(await last()).toMatchObject({ author: { username: "speaker", is_bot: true } });
    // A deactivated bot cannot post for it.
    await world.database.sql`update users set is_active = false where id = ${bot.user.id}`;
    await post({ text: "without the bot" }, {}, url);
    expect((await last()).author).toMatchObject({ display_name: "CI", is_active: true });
  });

  test("refuse an invalid name, and a twenty-first", async () => {
    expectProblem(await owner.post(PATH(), { name: " " }), 422, "validation");
    const place = await world.room("many-hooks", owner);
    const path = `/api/rooms/${place}/incoming-webhooks`;
    for (let i = 0; i < 20; i++) await owner.post(path, { name: `hook ${i}` });
    expectProblem(await owner.post(path, { name: "one more" }), 409, "too_many_webhooks");
  });
});
