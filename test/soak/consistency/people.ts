import { conversationById } from "../../../public/app/state/model/model.ts";
import { withSaved, withScheduled } from "../../../public/app/state/personal/personal.ts";
import { toggleReaction } from "../../../public/app/state/timeline/react.ts";
import type { CallInput, RouteName } from "../../../src/snug-client/calls.ts";
import type { Client } from "../../support/client.ts";
import type { World } from "../../support/world.ts";
import { Page } from "./page.ts";

type Random = () => number;
type Action = (cast: Cast) => Promise<unknown>;

/** A few people in three rooms and two conversations, and Bob's page: what they do at random. */
export class Cast {
  readonly page: Page;
  readonly rooms: { id: string; name: string }[] = [];
  /** Of Ada and Bob, and of all three. */
  readonly directs: { id: string }[] = [];
  /** One that nobody leaves: who is not in a room hears nothing of its new name. */
  named = { id: "", name: "" };
  /** The ids of what Bob has planned. */
  planned: string[] = [];
  messages: { id: string; room_id: string; thread_id: string | null; author: Client }[] = [];
  #names = 0;

  private constructor(
    readonly world: World,
    readonly seed: number,
    readonly random: Random,
    readonly ada: Client,
    readonly bob: Client,
    readonly carol: Client,
  ) {
    this.page = new Page(bob, () => (random() < 0.3 ? random() * 60 : 0));
  }

  static async gather(world: World, seed: number, random: Random): Promise<Cast> {
    const names = ["ada", "bob", "carol"].map((name) => world.person(`${name}-${seed}`));
    const [ada, bob, carol] = (await Promise.all(names)) as [Client, Client, Client];
    const cast = new Cast(world, seed, random, ada, bob, carol);
    for (const kind of ["one", "two", "three"]) {
      const name = `${kind}-${seed}`;
      const id = await world.room(name, ada, [bob, carol], "open");
      cast.rooms.push({ id, name });
    }
    const named = await world.room(`named-${seed}`, ada, [bob, carol], "open");
    cast.named = { id: named, name: `named-${seed}` };
    for (const others of [[bob], [bob, carol]]) {
      const user_ids = others.map(({ user }) => user.id);
      cast.directs.push({ id: (await ada.post("/api/direct", { user_ids })).body.id });
    }
    const before = Array.from({ length: 60 }, (_, n) => `before ${n}`);
    await Promise.all(before.map((text) => cast.say(ada, cast.rooms[0]?.id ?? "", text)));
    return cast;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)] as T;
  }

  nextName(): string {
    return `${this.seed}-${this.#names++}`;
  }

  async say(author: Client, roomId: string, content: string, more: object = {}): Promise<void> {
    const { status, body } = await author.post(`/api/rooms/${roomId}/messages`, {
      content,
      ...more,
    });
    if (status !== 201) return;
    this.messages.push({ id: body.id, room_id: roomId, thread_id: body.thread_id, author });
  }

  /** Messages that someone has replied to, or tried to. */
  readonly roots: { id: string; room_id: string }[] = [];

  /** A message to reply to: often one that has replies, so that threads become longer. */
  root(): { id: string; room_id: string } {
    if (this.random() < 0.6 && this.roots.length > 0) return this.pick(this.roots);
    const { id, room_id, thread_id } = recent(this);
    const root = { id: thread_id ?? id, room_id };
    this.roots.push(root);
    return root;
  }

  /** Does one thing at random; some of it is refused, as it would be. */
  async act(): Promise<string> {
    const name = this.pick(NAMES);
    await ACTIONS[name]?.(this);
    this.page.refresh();
    return name;
  }
}

const room = (cast: Cast) => cast.pick(cast.rooms);
/** A room or a conversation. */
const place = (cast: Cast) => cast.pick([...cast.rooms, ...cast.directs]);
const group = (cast: Cast) => `/api/direct/${cast.directs[1]?.id}`;
const members = (cast: Cast) => `/api/rooms/${room(cast).id}/members`;
const recent = (cast: Cast) => cast.pick(cast.messages.slice(-20));

const OTHERS: Record<string, Action> = {
  post: (cast) => {
    const texts = [
      "plain",
      `@bob-${cast.seed}, look`,
      `see #${cast.named.name}`,
      `@ada-${cast.seed}`,
    ];
    return cast.say(cast.pick([cast.ada, cast.carol, cast.bob]), place(cast).id, cast.pick(texts));
  },
  edit: (cast) => {
    const { id, author } = recent(cast);
    const content = cast.pick([`@bob-${cast.seed} now`, `no one ${cast.nextName()}`]);
    return author.patch(`/api/messages/${id}`, { content });
  },
  delete: (cast) => cast.ada.delete(`/api/messages/${recent(cast).id}`),
  reply: (cast) => {
    const { id, room_id } = cast.root();
    const author = cast.pick([cast.ada, cast.carol, cast.bob]);
    const content = cast.pick([`reply ${cast.nextName()}`, `@bob-${cast.seed}, a reply`]);
    return cast.say(author, room_id, content, { thread_id: id });
  },
  quote: (cast) => {
    const { id, room_id } = recent(cast);
    const thread_id = cast.random() < 0.5 ? cast.roots.at(-1)?.id : undefined;
    return cast.say(cast.pick([cast.ada, cast.bob]), room_id, "quoting", {
      quote_id: id,
      thread_id,
    });
  },
  thread: (cast) => {
    const body = cast.pick([
      { is_resolved: cast.random() < 0.5 },
      { title: `Title ${cast.nextName()}` },
    ]);
    return cast.ada.patch(`/api/messages/${cast.root().id}/thread`, body);
  },
  follow: (cast) => {
    const path = `/api/messages/${cast.root().id}/thread/follow`;
    return cast.bob.call("PUT", path, { is_following: cast.random() < 0.5 });
  },
  readThread: (cast) => cast.bob.post(`/api/messages/${cast.root().id}/thread/read`),
  unreadThread: (cast) => {
    const { id } = recent(cast);
    return cast.bob.post(`/api/messages/${id}/thread/unread`, { message_id: id });
  },
  readThreads: (cast) => cast.bob.post("/api/threads/read"),
  react: (cast) => {
    const emoji = cast.pick(["👍", "🎉"]);
    const who = cast.pick([cast.ada, cast.carol, cast.bob]);
    return who.post(`/api/messages/${recent(cast).id}/reactions`, { emoji });
  },
  add: (cast) => {
    const { id } = cast.pick([cast.carol, cast.bob]).user;
    return cast.ada.post(members(cast), { user_id: id });
  },
  remove: (cast) => {
    const { id } = cast.pick([cast.carol, cast.bob]).user;
    return cast.ada.delete(`${members(cast)}/${id}`);
  },
  removeAndAdd: async (cast) => {
    const path = members(cast);
    await cast.ada.delete(`${path}/${cast.bob.user.id}`);
    await cast.ada.post(path, { user_id: cast.bob.user.id });
  },
  leave: (cast) => cast.carol.post(`/api/rooms/${room(cast).id}/leave`),
  join: (cast) => cast.pick([cast.carol, cast.bob]).post(`/api/rooms/${room(cast).id}/join`),
  promote: (cast) => {
    const { id } = cast.pick([cast.carol, cast.bob]).user;
    return cast.ada.patch(`${members(cast)}/${id}`, { role: cast.pick(["admin", "member"]) });
  },
  rename: async (cast) => {
    const one = cast.pick([...cast.rooms, cast.named]);
    const name = `room-${cast.nextName()}`;
    const { status } = await cast.ada.patch(`/api/rooms/${one.id}`, { name, description: name });
    if (status === 200) one.name = name;
  },
  archive: async (cast) => {
    const { name } = room(cast);
    // It may be renamed meanwhile.
    await cast.world.archive(name, true).catch(() => {});
    await cast.world.archive(name, false).catch(() => {});
  },
  theme: (cast) =>
    cast.bob.patch("/api/auth/me", { theme: cast.pick(["dark", "light", "sunset"]) }),
  theirName: (cast) => {
    const who = cast.pick([cast.ada, cast.carol]);
    return who.patch("/api/auth/me", { display_name: `Name ${cast.nextName()}` });
  },
  myName: (cast) => cast.bob.patch("/api/auth/me", { display_name: `Bob ${cast.nextName()}` }),
  hide: (cast) => cast.ada.patch("/api/auth/me", { appear_offline: cast.random() < 0.5 }),
  notify: (cast) => {
    const notify = cast.pick(["all", "mentions", "none"]);
    return cast.bob.patch(`/api/rooms/${place(cast).id}/membership`, { notify });
  },
  leaveGroup: (cast) => cast.carol.post(`${group(cast)}/leave`),
  joinGroup: (cast) => cast.ada.post(`${group(cast)}/members`, { user_id: cast.carol.user.id }),
  pin: (cast) => {
    const who = cast.pick([cast.ada, cast.carol, cast.bob]);
    return who.put(`/api/messages/${recent(cast).id}/pin`, {});
  },
  unpin: (cast) => cast.ada.delete(`/api/messages/${recent(cast).id}/pin`),
  unread: (cast) => {
    const { id, room_id } = recent(cast);
    return cast.bob.post(`/api/rooms/${room_id}/unread`, { message_id: id });
  },
  save: (cast) => {
    const body = cast.random() < 0.5 ? { note: cast.nextName() } : {};
    return cast.bob.put(`/api/saved/${recent(cast).id}`, body);
  },
  type: async (cast) => {
    const { id: room_id } = room(cast);
    const socket = await cast.carol.socket();
    socket.send({ type: "join", room_id });
    socket.send({ type: "typing", room_id });
    socket.close();
  },
  unsave: (cast) => cast.bob.delete(`/api/saved/${recent(cast).id}`),
  readActivity: (cast) => cast.bob.post("/api/activity/read", { at: new Date().toISOString() }),
  finish: (cast) => cast.bob.post(`/api/saved/${recent(cast).id}/done`),
  plan: async (cast) => {
    const send_at = new Date(Date.now() + 3_600_000).toISOString();
    const body = { room_id: room(cast).id, content: cast.nextName(), send_at, zone: "Asia/Tokyo" };
    const { status, body: planned } = await cast.bob.post("/api/scheduled", body);
    if (status === 201) cast.planned.push(planned.id);
  },
  replan: (cast) => {
    const id = cast.pick(cast.planned) ?? cast.named.id;
    const content = `again ${cast.nextName()}`;
    return cast.random() < 0.5
      ? cast.bob.patch(`/api/scheduled/${id}`, { content })
      : cast.bob.delete(`/api/scheduled/${id}`);
  },
  draft: async (cast) => {
    const { id: room_id } = room(cast);
    const { items } = (await cast.bob.get("/api/drafts?after=2020-01-01T00:00:00.000Z")).body;
    const match = items.find((item: { room_id: string }) => item.room_id === room_id);
    const content = cast.random() < 0.3 ? null : `elsewhere ${cast.nextName()}`;
    const body = { room_id, content, base_version: match?.version ?? 0, device: "phone" };
    return cast.bob.put("/api/drafts", body);
  },
  read: (cast) => {
    const { id, room_id } = recent(cast);
    const body = cast.random() < 0.5 ? { message_id: id } : {};
    return cast.bob.post(`/api/rooms/${room_id}/read`, body);
  },
};

const OWN: Record<string, Action> = {
  look: async (cast) => cast.page.look(place(cast).id),
  openLists: (cast) => cast.page.lists.load(),
  openThread: async (cast) => cast.page.openThread(cast.root()),
  openReply: async (cast) => cast.page.openThread(recent(cast)),
  away: async (cast) => cast.page.store.sync.setHidden(cast.random() < 0.5),
  disconnect: (cast) => cast.page.disconnect(),
  draftHere: async (cast) => {
    const { id } = room(cast);
    const isSent = cast.random() < 0.3;
    if (cast.page.state.conversations?.[id])
      cast.page.kept.write(id, isSent ? "" : `here ${cast.nextName()}`);
  },
  write: async (cast) => {
    const { id } = place(cast);
    if (conversationById(cast.page.state, id))
      cast.page.store.outbox?.add(id, `mine ${cast.nextName()}`);
  },
  older: async ({ page: { roomId, store } }) => {
    if (roomId) void store.sync.history.loadMore(roomId, "before");
  },
  newest: async ({ page: { roomId, store } }) => {
    if (roomId) void store.sync.history.load(roomId);
  },
  notifyHere: async (cast) => {
    const body = { notify: cast.pick(["all", "mentions", "none"] as const) };
    callHere(cast, "PATCH /api/rooms/:id/membership", { params: { id: place(cast).id }, body });
  },
  joinHere: async (cast) =>
    callHere(cast, "POST /api/rooms/:id/join", { params: { id: room(cast).id } }),
  editHere: async (cast) => {
    const mine = cast.messages.findLast(({ author }) => author === cast.bob);
    const body = { content: `edited ${cast.nextName()}` };
    if (mine) callHere(cast, "PATCH /api/messages/:id", { params: { id: mine.id }, body });
  },
  pinHere: async (cast) =>
    callHere(cast, "PUT /api/messages/:id/pin", { params: { id: recent(cast).id } }),
  unreadHere: async (cast) => {
    const { id, room_id } = recent(cast);
    const input = { params: { id: room_id }, body: { message_id: id } };
    callHere(cast, "POST /api/rooms/:id/unread", input);
  },
  readAllHere: async (cast) => callHere(cast, "POST /api/rooms/read", {}),
  followHere: async (cast) => {
    const body = { is_following: cast.random() < 0.5 };
    const input = { params: { id: cast.root().id }, body };
    callHere(cast, "PUT /api/messages/:id/thread/follow", input);
  },
  resolveHere: async (cast) => {
    const input = { params: { id: cast.root().id }, body: { is_resolved: cast.random() < 0.5 } };
    callHere(cast, "PATCH /api/messages/:id/thread", input);
  },
  themeHere: async (cast) => {
    const body = { theme: cast.pick(["dark", "light", "sunset"] as const) };
    callHere(cast, "PATCH /api/auth/me", { body });
  },
  nameHere: async (cast) => {
    const body = { display_name: `Bob ${cast.nextName()}` };
    callHere(cast, "PATCH /api/auth/me", { body });
  },
  readActivityHere: async (cast) =>
    callHere(cast, "POST /api/activity/read", { body: { at: new Date().toISOString() } }),
  saveHere: async (cast) => {
    const { store } = cast.page;
    const { id } = recent(cast);
    const input = { params: { message_id: id }, body: {} };
    store
      .change(
        (state) => withSaved(state, id, true),
        () => store.call("PUT /api/saved/:message_id", input),
      )
      .catch(() => {});
  },
  finishHere: async (cast) => {
    const { store } = cast.page;
    const { id } = recent(cast);
    const input = { params: { message_id: id } };
    store
      .change(
        (state) => withSaved(state, id, false),
        () => store.call("POST /api/saved/:message_id/done", input),
      )
      .catch(() => {});
  },
  reactHere: async (cast) => {
    const { store, state, roomId } = cast.page;
    const message = cast.pick(state.views[roomId ?? ""]?.messages.slice(-20) ?? []);
    if (!message) return;
    store.attach((deps) => toggleReaction(deps, message, cast.pick(["👍", "🎉"]))).catch(() => {});
  },
  replanHere: async (cast) => {
    const id = cast.pick(cast.planned) ?? cast.named.id;
    const body = { content: `here ${cast.nextName()}` };
    callHere(cast, "PATCH /api/scheduled/:id", { params: { id }, body });
  },
  unplanHere: async (cast) => {
    const { store } = cast.page;
    const id = cast.pick(cast.planned) ?? cast.named.id;
    store
      .change(
        (state) => withScheduled(state, id, null),
        () => store.call("DELETE /api/scheduled/:id", { params: { id } }),
      )
      .catch(() => {});
  },
};

/** Bob's page calls a route, and merges the response whenever it arrives. */
function callHere<Name extends RouteName>(
  { page }: Cast,
  route: Name,
  input: CallInput<Name>,
): void {
  const call = page.store.call as (route: Name, input: CallInput<Name>) => Promise<unknown>;
  // Some of it is refused, as it would be.
  call(route, input).catch(() => {});
}

const ACTIONS: Record<string, Action> = { ...OTHERS, ...OWN };
/** Messages are most of what happens. */
const MORE = [
  "openLists",
  "openLists",
  "post",
  "post",
  "post",
  "look",
  "look",
  "edit",
  "delete",
  "reply",
  "reply",
  "openThread",
];
const NAMES = [...Object.keys(ACTIONS), ...MORE];
