/** What changed about how someone signs in. */
export type SecurityChange =
  | "password_changed"
  | "second_factor_on"
  | "second_factor_off"
  | "second_factor_reset"
  | "totp_added"
  | "totp_removed"
  | "passkey_added"
  | "passkey_removed"
  | "passkey_went_back"
  | "recovery_codes_made"
  | "recovery_code_used"
  | "provider_connected"
  | "account_claimed"
  | "provider_disconnected";

/** What someone's own browsers are notified of. */
export type SelfNotice =
  | { type: "reminder"; messageId: string; isDeleted?: true }
  | { type: "scheduled_failed"; id: string };

/** What a job of each kind is queued with. A wrong payload does not compile. */
export type JobPayloads = {
  /** Fetches the preview of a message's first URL and shows it in the room. */
  link_preview: { url: string; messageId: string };
  /** Delivers what is due for an outgoing webhook. */
  webhook_events: { hookId: string };
  /** Deletes old deliveries of webhooks. */
  prune_deliveries: Record<string, never>;
  /** Notifies the members who do not have the message's room open, starting after a subscription. */
  push: { messageId: string; after?: string };
  /** Notifies one browser whose push service was not available. */
  push_retry: { messageId: string; subscriptionId: string };
  /** Mails a signup link. */
  invite_mail: { inviteId: string; tokenId: string };
  /** Mails a link to choose a new password to the account with this address. */
  reset_mail: { email: string };
  /** Mails that something changed about how someone signs in. */
  security_mail: { userId: string; change: SecurityChange; detail: string | null };
  /**
   * Fetches the picture that a provider has of someone, unless they have chosen another since. Jobs of
   * the version before say neither the provider nor the picture that it replaces.
   */
  profile_picture: {
    userId: string;
    url: string;
    providerId?: string;
    avatarVersion?: string | null;
  };
  /** Restricts sessions without a second factor whose time to turn one on is over. */
  second_factor_grace: Record<string, never>;
  /** Mails that someone was added to a room. */
  added_mail: { roomId: string; userId: string; byId: string };
  /** Reminds someone of a message that they have saved. */
  remind: { userId: string; messageId: string; isDeleted?: true };
  /** Posts the scheduled messages that are due in a shard of the rooms. */
  send_scheduled: { shard: number };
  /** Notifies someone's own browsers of a reminder, or of a scheduled message that has failed. */
  push_self: { userId: string } & SelfNotice;
  /** Deletes what people follow of threads that have been silent for 180 days. */
  prune_thread_follows: Record<string, never>;
  /** Deletes old drafts and scheduled messages, and what people saved and can no longer read. */
  prune_kept: Record<string, never>;
  /** Queues mails to people who have missed mentions. */
  missed_mentions: Record<string, never>;
  /** Mails what someone has missed since a time. */
  missed_mail: { userId: string; after: string };
  /** Deletes the rows of a large room that was deleted. */
  delete_room: { roomId: string };
  /** Deletes old entries of the rooms' logs. */
  prune_log: Record<string, never>;
  /** Indexes for the search what has happened in the rooms of these shards. */
  search_index: { shards: number[] };
  /** Indexes the messages of a shard's rooms that were there before the index. */
  search_backfill: { shard: number };
  /** Deletes previews that have expired and that no message shows. */
  prune_previews: Record<string, never>;
  /** Deletes expired sessions, links and rate limits, and old failed jobs. */
  sweep: Record<string, never>;
  /** Deletes uploads that no message uses, and bytes that nothing refers to. */
  free_uploads: Record<string, never>;
  /** Takes a backup, where the settings name a folder for it. */
  backup: Record<string, never>;
  /** Deletes these bytes, by their SHA-256 in hex, where nothing refers to them. */
  remove_blobs: { keys: string[] };
};

export type JobKind = keyof JobPayloads;

/** Kinds of job that send a mail each. */
export const MAIL_KINDS = [
  "invite_mail",
  "reset_mail",
  "security_mail",
  "added_mail",
  "missed_mail",
] as const satisfies JobKind[];

const DEFAULT_MAX_ATTEMPTS = 8;
/** More than seven hours: a mail server that refuses us is out of order until someone repairs it. */
const MAX_MAIL_ATTEMPTS = 16;
const MAX_ATTEMPTS: Partial<Record<JobKind, number>> = {
  // A notification is worth less the later it comes.
  push: 5,
  push_retry: 6,
  push_self: 5,
  ...Object.fromEntries(MAIL_KINDS.map((kind) => [kind, MAX_MAIL_ATTEMPTS])),
};

/** How often a job of this kind is tried before it counts as failed. */
export function maxAttemptsOf(kind: JobKind): number {
  return MAX_ATTEMPTS[kind] ?? DEFAULT_MAX_ATTEMPTS;
}
