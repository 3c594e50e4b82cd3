import type { CreateIncomingWebhook, CreateOutgoingWebhook } from "../wire/webhooks.ts";
import type { Frame } from "../wire/frames.ts";
import type { DraftCopy } from "../wire/drafts.ts";
import type { Sections } from "../wire/sections.ts";
import type { Direct, Message, MyRoom, RoomRef, User } from "../wire/models.ts";
import type { Saved } from "../wire/saved-messages.ts";
import type { Scheduled, ScheduleMessage } from "../wire/scheduled-messages.ts";
import type { CreateIdentityProvider } from "../wire/providers.ts";
import type { CreateRoom, OpenDirect, PostMessage } from "../wire/requests.ts";
import type { Proof, SecondLogin, SecondStep, SignInMethods } from "../wire/sign-in.ts";

/** Examples of responses and bodies by schema name. A test checks them against the schemas. */

const ADA: User = {
  id: "0199f3a0-6c00-7000-8000-00000000ada0",
  username: "ada",
  display_name: "Ada Lovelace",
  avatar_url: "/api/users/0199f3a0-6c00-7000-8000-00000000ada0/avatar?v=3f1c2b4a",
  is_bot: false,
  is_active: true,
  profile_version: 3,
};
const ROOM_ID = "0199f3a0-7a00-7000-8000-000000000001";
const MESSAGE_ID = "0199f3a2-1b00-7000-8000-000000000042";

const MESSAGE: Message = {
  id: MESSAGE_ID,
  room_id: ROOM_ID,
  seq: 42,
  author: ADA,
  content: "The engine runs. @grace, have a look: https://example.org/log",
  image: null,
  file: null,
  reactions: [{ emoji: "🎉", count: 1, user_ids: ["0199f3a0-6c00-7000-8000-0000000face0"] }],
  preview_url: "https://example.org/log",
  preview: null,
  mentions: [{ user_id: "0199f3a0-6c00-7000-8000-0000000face0", username: "grace" }],
  broadcast: null,
  room_references: [],
  group_id: null,
  pinned: null,
  thread_id: null,
  thread: {
    title: "The first run",
    reply_count: 3,
    last_reply_seq: 47,
    last_reply_at: "2026-11-21T09:40:00.000Z",
    author_ids: ["0199f3a0-6c00-7000-8000-0000000face0", ADA.id],
    is_resolved: false,
  },
  root: null,
  quote: null,
  created_at: "2026-11-21T09:32:00.000Z",
  edited_at: null,
  deleted_at: null,
  via: null,
  client_id: null,
};

const ROOM: MyRoom = {
  id: ROOM_ID,
  name: "engines",
  description: "Code, machines, and what breaks them",
  privacy: "open",
  is_archived: false,
  is_default: false,
  pinning: "members",
  threads: "on",
  owner: ADA,
  created_at: "2026-11-01T08:00:00.000Z",
  member_count: 4,
  last_message_at: "2026-11-21T09:32:00.000Z",
  seq: 42,
  private_until_seq: null,
  pin_count: 1,
  newest_pin: { message_id: MESSAGE_ID, excerpt: "The engine runs." },
  membership: {
    role: "owner",
    last_read_at: "2026-11-21T09:30:00.000Z",
    last_read_seq: 41,
    notify: "all",
    muted_until: null,
    thread_push: "followed",
    unread: true,
    mention_count: 0,
    pinned_at: null,
    version: 7,
  },
};

const DIRECT: Direct = {
  id: "0199f3a0-7a00-7000-8000-0000000000d1",
  kind: "pair",
  members: [
    { user: ADA, status: "online" },
    {
      status: "offline",
      user: {
        id: "0199f3a0-6c00-7000-8000-0000000face0",
        username: "grace",
        display_name: "Grace Hopper",
        avatar_url: null,
        is_bot: false,
        is_active: true,
        profile_version: 1,
      },
    },
  ],
  created_at: "2026-11-20T08:00:00.000Z",
  last_message_at: "2026-11-21T09:32:00.000Z",
  is_closed: false,
  seq: 7,
  pin_count: 0,
  newest_pin: null,
  membership: {
    last_read_at: "2026-11-21T09:30:00.000Z",
    last_read_seq: 6,
    notify: "all",
    muted_until: null,
    unread: true,
    unread_count: 1,
    hidden_at: null,
    pinned_at: null,
    version: 12,
  },
};

const ROOM_REF: RoomRef = { id: ROOM_ID, kind: "room", name: "engines" };
const SAVED: Saved = {
  message: MESSAGE,
  room: ROOM_REF,
  note: "For the talk",
  saved_at: "2026-11-21T10:00:00.000Z",
  remind_at: "2026-11-23T09:00:00.000Z",
  reminded_at: null,
  done_at: null,
};
const SCHEDULED: Scheduled = {
  id: "0199f3a2-1b00-7000-8000-0000000005e9",
  room_id: ROOM_ID,
  room: ROOM_REF,
  thread_id: null,
  quote_id: null,
  content: "Good morning",
  image: null,
  file: null,
  group_id: null,
  send_at: "2026-11-23T09:00:00.000Z",
  zone: "Europe/London",
  state: "waiting",
  reason: null,
  message_id: null,
  sent_late: false,
  ended_at: null,
  created_at: "2026-11-21T10:00:00.000Z",
};
const SECTIONS: Sections = {
  version: 4,
  sections: [
    {
      id: "5f0c2a54-6c1b-4d3e-8d0a-2f6f0f6f1a12",
      name: "Projects",
      is_collapsed: false,
      room_ids: [ROOM_ID],
    },
  ],
};
const DRAFT: DraftCopy = {
  room_id: ROOM_ID,
  room: ROOM_REF,
  thread_id: null,
  content: "The engine",
  quote_id: null,
  image: null,
  file: null,
  client_id: null,
  version: 3,
  device: "Firefox on a phone",
  updated_at: "2026-11-21T10:00:00.000Z",
};

type Example = { schema: string; value: unknown };
const example = <T>(schema: string, value: T): Example => ({ schema, value });

const ALL_EXAMPLES: Example[] = [
  example<User>("User", ADA),
  example<Message>("Message", MESSAGE),
  example<MyRoom>("MyRoom", ROOM),
  example<Direct>("Direct", DIRECT),
  example<Saved>("Saved", SAVED),
  example<Scheduled>("Scheduled", SCHEDULED),
  example<DraftCopy>("DraftCopy", DRAFT),
  example<Sections>("Sections", SECTIONS),
  example<ScheduleMessage>("ScheduleMessage", {
    room_id: ROOM_ID,
    content: "Good morning",
    send_at: "2026-11-23T09:00:00Z",
    zone: "Europe/London",
  }),
  example<OpenDirect>("OpenDirect", { user_ids: ["0199f3a0-6c00-7000-8000-0000000face0"] }),
  example<CreateRoom>("CreateRoom", { name: "engines", privacy: "open" }),
  example<PostMessage>("PostMessage", {
    content: "The engine runs.",
    client_id: "0b0f7c3e-4f0a-4f6e-9a53-2f6f0f6f1a11",
  }),
  example<SecondStep>("SecondStep", { factors: ["totp", "recovery_code"] }),
  example<SecondLogin>("SecondLogin", { totp: "287082" }),
  example<Proof>("Proof", { password: "correct horse battery" }),
  example<SignInMethods>("SignInMethods", {
    passwords: true,
    passkeys: true,
    providers: [{ slug: "company", name: "Company" }],
    sends_mail: true,
  }),
  example<CreateIdentityProvider>("CreateIdentityProvider", {
    slug: "company",
    name: "Company",
    issuer: "https://keycloak.example.org/realms/company",
    client_id: "snug",
    client_secret: "what the provider shows",
    allow_signup: true,
    allowed_domains: ["example.org"],
  }),
  example<CreateIncomingWebhook>("CreateIncomingWebhook", { name: "Build server" }),
  example<CreateOutgoingWebhook>("CreateOutgoingWebhook", {
    name: "Archive",
    url: "https://archive.example.org/snug",
    events: ["message.created", "message.deleted"],
  }),
  example<Frame>("JoinFrame", { type: "join", room_id: ROOM_ID, seq: 41 }),
  example<Frame>("MessageFrame", {
    type: "message",
    room_id: ROOM_ID,
    content: "The engine runs.",
    client_id: "0b0f7c3e-4f0a-4f6e-9a53-2f6f0f6f1a11",
  }),
];

export const EXAMPLES = new Map(ALL_EXAMPLES.map(({ schema, value }) => [schema, value]));
