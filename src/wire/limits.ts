/** Limits that the service and its clients share. */

/** Message text, in Unicode code points. */
export const MAX_CONTENT_LENGTH = 8_000;
/** What a reply shows of its root, and a quote of what it quotes, in code points. */
export const ROOT_EXCERPT_LENGTH = 80;
export const QUOTE_EXCERPT_LENGTH = 300;
/** The title of a thread, in code points. */
export const MAX_THREAD_TITLE_LENGTH = 120;
/** The most recent repliers that a thread lists. */
export const MAX_THREAD_AUTHORS = 5;
/** Replies of a thread that are counted as unread. */
export const MAX_THREAD_UNREAD = 100;
/** The description of an image, in UTF-16 units. */
export const MAX_ALT_LENGTH = 1_000;
/** A link in a message, in UTF-16 units; what is longer is text. */
export const MAX_URL_LENGTH = 2_048;
/** Distinct emoji on one message. */
export const MAX_REACTIONS = 20;
export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 256;
/** Sessions of one account; one more sign-in ends the least recently seen one. */
export const MAX_SESSIONS = 100;
export const MAX_DISPLAY_NAME_LENGTH = 80;
export const MAX_ROOM_DESCRIPTION_LENGTH = 500;
export const MAX_EMAIL_LENGTH = 254;
/** Rooms that an invite can name. */
export const MAX_INVITE_ROOMS = 20;
export const MAX_TEAM_NAME_LENGTH = 60;
/** The steps by which the first administrator sets up a service. */
export const SETUP_STEPS = 4;
/** How long a link lasts, and how many may use it, unless its administrator says otherwise. */
export const INVITE_LINK_DAYS = 7;
export const INVITE_LINK_USES = 50;
export const MAX_INVITE_LINK_DAYS = 30;
export const MAX_INVITE_LINK_USES = 1_000;
/** Signup links that are valid at the same time. */
export const MAX_INVITE_LINKS = 20;
/** Rooms that someone has put in an order. */
export const MAX_ROOM_ORDER = 1_000;
/** How long a link in an email is valid. */
export const INVITE_DAYS = 7;
export const RESET_MINUTES = 15;
/** How long people have to turn on a second factor that the site requires. */
export const GRACE_DAYS = 7;
/** How long a reauthentication is valid. */
export const PROOF_MINUTES = 10;
export const RECOVERY_CODES = 10;
/** Passkeys of one account. */
export const MAX_PASSKEYS = 100;
export const MAX_PASSKEY_NAME_LENGTH = 80;
/** Incoming webhooks of a room, and outgoing ones. */
export const MAX_WEBHOOKS_PER_ROOM = 20;
export const MAX_WEBHOOK_NAME_LENGTH = 80;
/** Tests of outgoing webhooks that one instance runs at a time. */
export const MAX_WEBHOOK_TESTS = 8;
/**
 * The body of a delivery, in bytes; in a larger one each reaction lists this many people, and
 * counts them all.
 */
export const MAX_DELIVERY_BYTES = 256 * 1024;
export const MAX_DELIVERY_REACTORS = 100;
/** How long the previous secret still signs beside a new one. */
export const PREVIOUS_SECRET_HOURS = 24;
/** The name of an API token, in code points. */
export const MAX_TOKEN_NAME_LENGTH = 80;
/** An API token: the prefix, and 256 bits in base64url. */
export const TOKEN_PREFIX = "snug_";

/** Sides of an avatar, in pixels, the largest first. */
export const AVATAR_SIDES = [512, 128, 64] as const;

/** Saved themes of one person. */
export const MAX_CUSTOM_THEMES = 20;
export const MAX_THEME_NAME_LENGTH = 40;
/** Unread mentions of a room that are counted, and newest messages in which an unread one is searched for. */
export const MAX_UNREAD = 1_000;

/** Members of a room in which everyone may use `@room` and `@here`; above that its owner and admins. */
export const MAX_BROADCAST_MEMBERS = 50;
/** Clients ask before `@room` or `@here` goes to more people than this. */
export const CONFIRM_BROADCAST_ABOVE = 20;
/** People online whom one `@here` records; if there are more, it mentions all. */
export const MAX_HERE = 5_000;
/** Names that mean a broadcast in a message, so no new account can have them. */
export const RESERVED_USERNAMES = ["room", "here"] as const;
/** People in a direct conversation. */
export const MAX_DIRECT_MEMBERS = 9;
/** Unread messages of a direct conversation that are counted. */
export const MAX_DIRECT_UNREAD = 100;
/** Conversations that a bot may begin in an hour. */
export const MAX_BOT_DIRECTS_PER_HOUR = 20;

/** New activity that is counted: mentions of a room, and messages with reactions. */
export const MAX_NEW_ACTIVITY = 100;

/** Keywords of one person, and their lengths in code points. */
export const MAX_KEYWORDS = 20;
export const MIN_KEYWORD_LENGTH = 2;
export const MAX_KEYWORD_LENGTH = 40;
/** Pinned messages of a room. */
export const MAX_PINS = 100;
/** The excerpt of the newest pin in a list of rooms. */
export const MAX_EXCERPT_LENGTH = 140;
/** Messages of one person that are saved and not done. */
export const MAX_SAVED = 2_000;
export const MAX_NOTE_LENGTH = 500;
/** How far ahead a reminder is: at least this much, at most that. */
export const MIN_AHEAD_SECONDS = 60;
export const MAX_REMINDER_DAYS = 731;
/** Messages of one author that wait to be sent, and how far ahead. */
export const MAX_SCHEDULED = 100;
export const MAX_SCHEDULED_DAYS = 366;
/** A message that is overdue by more than this is not sent. */
export const MAX_LATE_HOURS = 12;
/** A message sent this long after its time counts as late. */
export const LATE_SECONDS = 60;
/** Drafts of one person. */
export const MAX_DRAFTS = 500;
/** Drafts of one person that were sent or cleared, and are remembered for devices that were away. */
export const MAX_CLEARED_DRAFTS = 1_000;
/** The name of the device that wrote a draft. */
export const MAX_DEVICE_LENGTH = 40;

/** People that one request for members can name. */
export const MAX_MEMBERS_PER_QUERY = 100;
/** Members in one response of `GET /api/rooms/:id/members?all=true`. */
export const MAX_MEMBERS_AT_ONCE = 5_000;

/** Rooms in one response of `GET /api/rooms?all=true`. */
export const MAX_ROOMS_AT_ONCE = 1_000;

export const MAX_PAGE = 200;
export const DEFAULT_PAGE = 50;
/** Events in one response of `GET /api/rooms/:id/changes`, and in one read of the log. */
export const MAX_CHANGES = 500;
/** After more missed events than this a socket receives `resync` instead of each event. */
export const MAX_REPLAY = 1_000;

/** A WebSocket frame from a client, in bytes; a larger one closes with 1009 (RFC 6455, 7.4.1). */
export const MAX_FRAME_BYTES = 64 * 1024;
/** The token bucket of a person's socket. */
export const FRAME_RATE = { perSecond: 20, burst: 60 };
/** Searches of a person on one instance. */
export const SEARCH_RATE = { perSecond: 5, burst: 20 };
/** Sockets of one account on one instance; one more is answered `rate_limited` and closed with 1013. */
export const MAX_SOCKETS = 200;
/** Frames of one socket, and their bytes, that are handled at a time; further ones wait. */
export const MAX_CONCURRENT_FRAMES = 256;
export const MAX_CONCURRENT_FRAME_BYTES = 256 * 1024;
/**
 * Frames of a person's socket that may wait; one more is answered `rate_limited` and closes with 1013.
 * A bot's socket is not read while many wait, so that TCP slows the bot down.
 */
export const MAX_WAITING_FRAMES = 128;
/** Bytes of waiting frames of any socket; more close it in the same way. */
export const MAX_WAITING_BYTES = 4 * 1024 ** 2;

/** A JSON request body, in bytes. */
export const MAX_JSON_BYTES = 256 * 1024;
/** Nesting of arrays and objects, in JSON from outside. */
export const MAX_JSON_DEPTH = 32;
/** Values of all kinds in a request body or a frame. */
export const MAX_JSON_VALUES = 10_000;

/** Push subscriptions of one account; one more removes the oldest. */
export const MAX_PUSH_SUBSCRIPTIONS = 20;
/** The longest pause of notifications. */
export const MAX_PUSH_PAUSE_DAYS = 31;

/** A payload of an incoming webhook, in bytes: GitHub's larger ones fit. */
export const MAX_WEBHOOK_BYTES = 1024 ** 2;
/** Values of all kinds in such a payload: GitHub's push of 2,048 commits has some 60,000. */
export const MAX_WEBHOOK_VALUES = 100_000;

/** The size of an upload, in bytes: the default limit, and the range that an administrator can choose from. */
export const DEFAULT_UPLOAD_BYTES = 8 * 1024 ** 2;
export const MIN_UPLOAD_LIMIT = 1024;
export const MAX_UPLOAD_LIMIT = 1024 ** 3;
/** Longer sides, in pixels, of an image in a message and of its thumbnail. */
export const IMAGE_SIDE = 2_000;
export const THUMB_SIDE = 640;

/** The usual port of a mail server, by the security of the connection (RFC 8314). */
export const MAIL_PORTS = { none: 587, starttls: 587, tls: 465 } as const;

/** WebSocket close codes (RFC 6455; 4000 and up are the application's). */
export const CLOSE_RESTART = 1012;
/** Too many frames or sockets: reconnect after a pause. */
export const CLOSE_TRY_AGAIN_LATER = 1013;
export const CLOSE_SIGNED_OUT = 4401;

/** The session cookie; browsers only accept the prefixed one over https (RFC 6265bis, 4.1.3.2). */
export const SESSION_COOKIE = "snug_session";
export const SECURE_SESSION_COOKIE = "__Host-snug_session";
/** The cookies of a sign-in that waits for its second factor, and of one in progress at a provider. */
export const CHALLENGE_COOKIE = "snug_challenge";
export const FLOW_COOKIE = "snug_oidc";
export const BROWSER_COOKIE = "snug_browser";
