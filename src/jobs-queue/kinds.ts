/** A change of someone's sign-in settings, reported by email. */
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

/** A notification that is sent to all of a user's own browsers. */
export type SelfNotice =
  { type: "reminder"; messageId: string } | { type: "scheduled_failed"; id: string };

export type JobPayloads = {
  /** Fetches the preview of a message's first URL and shows it in the room. */
  link_preview: { url: string; messageId: string };
  /** Delivers what is due for an outgoing webhook. */
  webhook_events: { hookId: string };
  prune_deliveries: Record<string, never>;
  /**
   * Notifies members who do not have the message's room open. `after` is the last subscription of the
   * previous batch.
   */
  push: { messageId: string; after?: string };
  /** Notifies one browser whose push service was unavailable. */
  push_retry: { messageId: string; subscriptionId: string };
  invite_mail: { inviteId: string; tokenId: string };
  /** Mails a password reset link to the account with this address. */
  reset_mail: { email: string };
  security_mail: { userId: string; change: SecurityChange; detail: string | null };
  /**
   * Fetches someone's picture from their identity provider, unless they have chosen another since. Jobs
   * queued by the previous version lack the provider and the picture to replace.
   */
  profile_picture: {
    userId: string;
    url: string;
    providerId?: string;
    avatarVersion?: string | null;
  };
  /** Restricts sessions without a second factor after the grace period. */
  second_factor_grace: Record<string, never>;
  added_mail: { roomId: string; userId: string; byId: string };
  remind: { userId: string; messageId: string };
  /** Posts the due scheduled messages of one shard of the rooms. */
  send_scheduled: { shard: number };
  /** Notifies a user's own browsers of a reminder or a failed scheduled message. */
  push_self: { userId: string } & SelfNotice;
  /** Deletes follows of threads without replies for 180 days. */
  prune_thread_follows: Record<string, never>;
  /** Deletes old drafts and scheduled messages, and saved messages that their owners can no longer read. */
  prune_kept: Record<string, never>;
  missed_mentions: Record<string, never>;
  /** Mails someone a summary of what they have missed since a time. */
  missed_mail: { userId: string; after: string };
  delete_room: { roomId: string };
  prune_log: Record<string, never>;
  /** Notes which direct conversations have been silent for a month. */
  note_silence: Record<string, never>;
  /** Indexes new log entries of the rooms in these shards for search. */
  search_index: { shards: number[] };
  /** Indexes the older messages of a shard's rooms for search. */
  search_backfill: { shard: number };
  /** Deletes previews that have expired and that no message shows. */
  prune_previews: Record<string, never>;
  /** Deletes expired sessions, links and rate limits, and old failed jobs. */
  sweep: Record<string, never>;
  /** Deletes uploads that no message uses, and unreferenced blobs. */
  free_uploads: Record<string, never>;
  /** Takes a backup if a backup folder is configured. */
  backup: Record<string, never>;
  /** Deletes unreferenced blobs, by SHA-256 in hex. */
  remove_blobs: { keys: string[] };
};

export type JobKind = keyof JobPayloads;

export const MAIL_KINDS = [
  "invite_mail",
  "reset_mail",
  "security_mail",
  "added_mail",
  "missed_mail",
] as const satisfies JobKind[];

const DEFAULT_MAX_ATTEMPTS = 8;
/** More than seven hours. A mail server that is down for longer needs an administrator. */
const MAX_MAIL_ATTEMPTS = 16;
const MAX_ATTEMPTS: Partial<Record<JobKind, number>> = {
  // A late notification is worth little.
  push: 5,
  push_retry: 6,
  push_self: 5,
  ...Object.fromEntries(MAIL_KINDS.map((kind) => [kind, MAX_MAIL_ATTEMPTS])),
};

export function maxAttemptsOf(kind: JobKind): number {
  return MAX_ATTEMPTS[kind] ?? DEFAULT_MAX_ATTEMPTS;
}
