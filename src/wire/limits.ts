/** Length of a message, in Unicode code points. */
export const MAX_CONTENT_LENGTH = 8_000;
/** Length of the excerpt of a reply's root or of a quoted message, in code points. */
export const ROOT_EXCERPT_LENGTH = 80;
export const QUOTE_EXCERPT_LENGTH = 300;
/** Length of a thread's title, in code points. */
export const MAX_THREAD_TITLE_LENGTH = 120;
/** Number of recent repliers listed in a thread. */
export const MAX_THREAD_AUTHORS = 5;
/** Counting of unread replies in a thread stops here. */
export const MAX_THREAD_UNREAD = 100;
/** Length of an image's alternative text, in UTF-16 code units. */
export const MAX_ALT_LENGTH = 1_000;
/** Length of a link's URL in a message, in UTF-16 code units; longer URLs stay text. */
export const MAX_URL_LENGTH = 2_048;
/** Number of different emoji on a message. */
export const MAX_REACTIONS = 20;
export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 256;
/** Sessions per account; the next sign-in ends the least recently used one. */
export const MAX_SESSIONS = 100;
export const MAX_DISPLAY_NAME_LENGTH = 80;
export const MAX_ROOM_DESCRIPTION_LENGTH = 500;
export const MAX_EMAIL_LENGTH = 254;
export const MAX_INVITE_ROOMS = 20;
export const MAX_TEAM_NAME_LENGTH = 60;
/** Number of steps in the first administrator's setup. */
export const SETUP_STEPS = 4;
/** Default validity and number of uses of an invite link. */
export const INVITE_LINK_DAYS = 7;
export const INVITE_LINK_USES = 50;
export const MAX_INVITE_LINK_DAYS = 30;
export const MAX_INVITE_LINK_USES = 1_000;
/** Number of signup links that are valid at the same time. */
export const MAX_INVITE_LINKS = 20;
/** Sections of a sidebar, the length of their names in code points, and rooms in one of them. */
export const MAX_SECTIONS = 50;
export const MAX_SECTION_NAME_LENGTH = 40;
export const MAX_SECTION_ROOMS = 5_000;
/** Number of rooms in a custom order. */
export const MAX_ROOM_ORDER = 1_000;
/** Validity of links in emails. */
export const INVITE_DAYS = 7;
export const RESET_MINUTES = 15;
/** Grace period for setting up a required second factor. */
export const GRACE_DAYS = 7;
export const REAUTHENTICATION_MINUTES = 10;
export const RECOVERY_CODES = 10;
/** Passkeys per account. */
export const MAX_PASSKEYS = 100;
export const MAX_PASSKEY_NAME_LENGTH = 80;
/** Incoming webhooks per room, and outgoing ones. */
export const MAX_WEBHOOKS_PER_ROOM = 20;
export const MAX_WEBHOOK_NAME_LENGTH = 80;
/** Concurrent tests of outgoing webhooks per instance. */
export const MAX_WEBHOOK_TESTS = 8;
/** A delivery's size in bytes, and the people per reaction that a larger delivery lists. */
export const MAX_DELIVERY_BYTES = 256 * 1024;
export const MAX_DELIVERY_REACTORS = 100;
/** How long the previous secret also signs deliveries after a rotation. */
export const PREVIOUS_SECRET_HOURS = 24;
/** Length of an API token's name, in code points. */
export const MAX_TOKEN_NAME_LENGTH = 80;
/** An API token consists of the prefix and 256 bits in base64url. */
export const TOKEN_PREFIX = "snug_";

/** Side lengths of an avatar in pixels, largest first. */
export const AVATAR_SIDES = [512, 128, 64] as const;

/** Saved themes per person. */
export const MAX_CUSTOM_THEMES = 20;
export const MAX_THEME_NAME_LENGTH = 40;
/** Maximum number of a room's newest messages, and of mentions, that are read to count unread ones. */
export const MAX_UNREAD = 1_000;

/** In a room with more members, only its owner and admins may use `@room` and `@here`. */
export const MAX_BROADCAST_MEMBERS = 50;
/** Clients ask for confirmation before `@room` or `@here` notifies more people than this. */
export const CONFIRM_BROADCAST_ABOVE = 20;
/** `@here` records up to this many people who are online; if there are more, it mentions all members. */
export const MAX_HERE = 5_000;
/** Names that mean a broadcast in a message and are not available as usernames. */
export const RESERVED_USERNAMES = ["room", "here"] as const;

export const isBroadcast = (name: string) =>
  RESERVED_USERNAMES.some((reserved) => reserved === name);
export const MAX_DIRECT_MEMBERS = 9;
/** Counting of unread messages in a direct conversation stops here. */
export const MAX_DIRECT_UNREAD = 100;
/** Conversations that a bot may start per hour. */
export const MAX_BOT_DIRECTS_PER_HOUR = 20;

/** Counting of new activity stops here: mentions per room, and messages with reactions. */
export const MAX_NEW_ACTIVITY = 100;

/** Keywords per person, and their lengths in code points. */
export const MAX_KEYWORDS = 20;
export const MIN_KEYWORD_LENGTH = 2;
export const MAX_KEYWORD_LENGTH = 40;
/** Pinned messages per room. */
export const MAX_PINS = 100;
/** Length of the excerpt of the newest pin in a list of rooms. */
export const MAX_EXCERPT_LENGTH = 140;
/** Saved messages per person, excluding those marked as done. */
export const MAX_SAVED = 2_000;
export const MAX_NOTE_LENGTH = 500;
/** Minimum and maximum time until a reminder. */
export const MIN_AHEAD_SECONDS = 60;
export const MAX_REMINDER_DAYS = 731;
/** Scheduled messages per author, and how far in the future they can be. */
export const MAX_SCHEDULED = 100;
export const MAX_SCHEDULED_DAYS = 366;
/** A message that is overdue by more than this is not sent. */
export const MAX_LATE_HOURS = 12;
/** A message sent this long after its scheduled time is marked as late. */
export const LATE_SECONDS = 60;
/** Drafts per person. */
export const MAX_DRAFTS = 500;
/** Tombstones of sent or cleared drafts per person, for devices that were offline. */
export const MAX_CLEARED_DRAFTS = 1_000;
/** Length of the name of the device that wrote a draft. */
export const MAX_DEVICE_LENGTH = 40;

export const MAX_MEMBERS_PER_QUERY = 100;
/** Members per response of `GET /api/rooms/:id/members?all=true`. */
export const MAX_MEMBERS_AT_ONCE = 5_000;

/** Rooms per response of `GET /api/rooms?all=true`. */
export const MAX_ROOMS_AT_ONCE = 1_000;

export const MAX_PAGE = 200;
export const DEFAULT_PAGE = 50;
/** Events per response of `GET /api/rooms/:id/changes`, and per read of the log. */
export const MAX_CHANGES = 500;
/** After missing more events than this, a socket receives `resync` instead of the events. */
export const MAX_REPLAY = 1_000;

/** In bytes; a larger frame closes the socket with 1009 (RFC 6455, 7.4.1). */
export const MAX_FRAME_BYTES = 64 * 1024;
/** Token bucket of frames from a person's socket. */
export const FRAME_RATE = { perSecond: 20, burst: 60 };
/** Token bucket of a person's searches, per instance. */
export const SEARCH_RATE = { perSecond: 5, burst: 20 };
/** Sockets per account and instance; further ones receive `rate_limited` and are closed with 1013. */
export const MAX_SOCKETS = 200;
/** Maximum number and size of a socket's frames that are handled concurrently; further ones wait. */
export const MAX_CONCURRENT_FRAMES = 256;
export const MAX_CONCURRENT_FRAME_BYTES = 256 * 1024;
/**
 * Waiting frames of a person's socket; above it, the socket receives `rate_limited` and is closed with
 * 1013. A bot's socket is not read while many frames wait, so that TCP slows the bot down.
 */
export const MAX_WAITING_FRAMES = 128;
/** Bytes of waiting frames per socket; above it, the socket is also closed with 1013. */
export const MAX_WAITING_BYTES = 4 * 1024 ** 2;

/** Size of a JSON request body in bytes. */
export const MAX_JSON_BYTES = 256 * 1024;
/** Nesting depth of untrusted JSON. */
export const MAX_JSON_DEPTH = 32;
/** Number of values of all types in a request body or a frame. */
export const MAX_JSON_VALUES = 10_000;

/** Push subscriptions per account; a further one removes the oldest. */
export const MAX_PUSH_SUBSCRIPTIONS = 20;
/** Maximum duration of a pause of notifications. */
export const MAX_PUSH_PAUSE_DAYS = 31;

/** Size of an incoming webhook's payload in bytes, sufficient for GitHub's larger ones. */
export const MAX_WEBHOOK_BYTES = 1024 ** 2;
/**
 * Number of values of all types in a webhook's payload; a GitHub push of 2,048 commits has about
 * 60,000.
 */
export const MAX_WEBHOOK_VALUES = 100_000;

/** Upload size in bytes: the default limit, and the range in which administrators can set it. */
export const DEFAULT_UPLOAD_BYTES = 8 * 1024 ** 2;
export const MIN_UPLOAD_LIMIT = 1024;
export const MAX_UPLOAD_LIMIT = 1024 ** 3;
/** Maximum length in pixels of the longer side of an image in a message and of its thumbnail. */
export const IMAGE_SIDE = 2_000;
export const THUMB_SIDE = 640;

/** Default ports of a mail server, by connection security (RFC 8314). */
export const MAIL_PORTS = { none: 587, starttls: 587, tls: 465 } as const;

/** WebSocket close codes (RFC 6455; codes from 4000 on are application-defined). */
export const CLOSE_RESTART = 1012;
/** Too many frames or sockets; reconnect later. */
export const CLOSE_TRY_AGAIN_LATER = 1013;
export const CLOSE_SIGNED_OUT = 4401;

/** Cookies; over https their names start with `__Host-`. */
export const SESSION_COOKIE = "snug_session";
/** The cookies of a sign-in that waits for its second factor, and of a sign-in in progress at a provider. */
export const CHALLENGE_COOKIE = "snug_challenge";
export const FLOW_COOKIE = "snug_oidc";
export const BROWSER_COOKIE = "snug_browser";
