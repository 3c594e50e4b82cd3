import type { DraftCopy } from "./drafts.ts";
import type { Sections } from "./sections.ts";

/** A stable code for programs, the HTTP status, and a title; also in WebSocket `error` frames. */
export const CODES = {
  bad_request: [400, "The request could not be understood"],
  unauthenticated: [401, "Sign in first"],
  invalid_credentials: [401, "The username or password is wrong"],
  invalid_code: [401, "The code is wrong"],
  code_used: [401, "The code was used already"],
  invalid_passkey: [401, "The passkey does not work here"],
  challenge_expired: [401, "The sign-in took too long"],
  invalid_token: [401, "The token is unknown or revoked"],
  forbidden: [403, "Not allowed"],
  cross_origin: [403, "The request comes from another site"],
  not_site_admin: [403, "Only site administrators may do this"],
  user_mismatch: [403, "Another user is signed in"],
  second_factor_required: [403, "Turn on a second factor first"],
  proof_needed: [403, "Reauthenticate first"],
  passwords_off: [403, "People sign in with a provider here"],
  not_invited: [403, "There is no account for you here"],
  insufficient_scope: [403, "The token's scopes do not allow this"],
  not_for_bots: [403, "Bots may not do this"],
  not_a_member: [403, "Not a member of this room"],
  role_required: [403, "Your role in this room does not allow it"],
  not_author: [403, "Only its author can edit a message"],
  not_found: [404, "Not found"],
  room_not_found: [404, "No such room"],
  message_not_found: [404, "No such message"],
  scheduled_not_found: [404, "No such scheduled message"],
  user_not_found: [404, "No such user"],
  member_not_found: [404, "No such member"],
  webhook_not_found: [404, "No such webhook"],
  delivery_not_found: [404, "No such delivery"],
  link_not_found: [404, "This link is unknown or has been used"],
  method_not_allowed: [405, "The method is not allowed here"],
  username_taken: [409, "The username is taken"],
  email_taken: [409, "The email address is taken"],
  room_name_taken: [409, "The room name is taken"],
  room_archived: [409, "The room is archived"],
  threads_off: [409, "Threads are switched off here"],
  no_thread: [409, "Nobody has replied to this message"],
  message_deleted: [409, "The message was deleted"],
  was_conversation: [409, "The room was a conversation"],
  conversation_closed: [409, "The conversation is closed"],
  idempotency_key_used: [422, "The Idempotency-Key was used with another body"],
  client_id_used: [409, "The client_id was used for another message"],
  already_a_member: [409, "Already a member"],
  owner_cannot_leave: [409, "The owner must transfer the room first"],
  smtp_not_configured: [409, "Outgoing mail is not set up"],
  already_invited: [409, "There is an open invite for this address"],
  too_many_invite_links: [409, "Too many signup links are open"],
  invite_closed: [409, "The invite was used or revoked"],
  too_many: [409, "A conversation has at most nine people"],
  too_many_themes: [409, "The limit of saved themes is reached"],
  too_many_webhooks: [409, "The room's limit of webhooks is reached"],
  webhook_paused: [409, "The webhook is paused"],
  owner_role_fixed: [409, "The owner's role changes only by a transfer"],
  too_many_uploads: [409, "Too many uploads that no message uses"],
  too_many_pins: [409, "The room's limit of pinned messages is reached"],
  too_many_saved: [409, "The limit of saved messages is reached"],
  too_many_scheduled: [409, "The limit of scheduled messages is reached"],
  too_many_drafts: [409, "The limit of drafts is reached"],
  draft_changed: [409, "Another device has changed the draft"],
  sections_changed: [409, "The sections have been changed meanwhile"],
  already_sent: [409, "The message has been sent"],
  too_late: [409, "The message was due too long ago"],
  session_ended: [409, "The session that scheduled it has ended"],
  deactivated: [409, "The account was deactivated"],
  too_many_reactions: [409, "The message's limit of different reactions is reached"],
  self_lockout: [409, "You cannot do this to your own account"],
  bot_account: [409, "A bot has no password and cannot be an administrator"],
  account_exists: [409, "There is an account with this address"],
  last_factor: [409, "The site requires a second factor"],
  second_factor_off: [409, "No second factor is set up"],
  last_way_in: [409, "It is the only way to sign in"],
  no_emergency_account: [409, "An emergency account is needed"],
  too_many_passkeys: [409, "The limit of passkeys is reached"],
  passkey_known: [409, "The passkey was already added"],
  slug_taken: [409, "Another provider has this short name"],
  provider_from_environment: [409, "The environment sets this"],
  last_admin: [409, "There must be an active site administrator"],
  link_expired: [410, "The link has expired"],
  token_expired: [410, "The link has expired"],
  seq_gone: [410, "That part of the log has been pruned"],
  too_large: [413, "Too large"],
  range_not_satisfiable: [416, "The range is outside the file"],
  unsupported_media_type: [415, "The media type is not supported"],
  validation: [422, "Something in the request is not valid"],
  empty_message: [422, "The message is empty"],
  not_for_direct: [422, "Not possible in a conversation of this kind"],
  not_an_image: [422, "This is not an image that can be read"],
  image_too_big: [422, "The image has too many pixels or frames"],
  broadcast_restricted: [422, "Only the owner and admins may mention all members here"],
  unknown_upload: [422, "The upload is unknown"],
  unknown_thread: [422, "The thread is unknown"],
  unknown_quote: [422, "The quoted message is unknown"],
  target_not_allowed: [422, "This address is not allowed"],
  unknown_user: [422, "No such user"],
  empty_query: [422, "The search is empty"],
  query_too_wide: [422, "The search only excludes"],
  query_too_long: [422, "The search is too long"],
  too_many_parts: [422, "The search has too many parts"],
  rate_limited: [429, "Too many requests"],
  internal: [500, "Something went wrong on our side"],
  provider_failed: [502, "The provider cannot be reached, or its response is invalid"],
  delivery_failed: [502, "The mail could not be delivered"],
  search_busy: [503, "Too many searches at once"],
  push_off: [503, "Notifications are off on this site"],
  unavailable: [503, "Not available right now"],
  storage_full: [507, "There is no space for more files"],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type Code = keyof typeof CODES;

/** A problem document (RFC 9457). */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: Code;
  errors?: FieldError[];
  /** For `proof_needed`: the methods by which the caller can reauthenticate. */
  ways?: string[];
  /** For `draft_changed`: the draft stored by another device. */
  draft?: DraftCopy;
  /** For `sections_changed`: the current sections. */
  current?: Sections;
};

/** An error in one field; `path` is a JSON pointer (RFC 6901). */
export type FieldError = { path: string; message: string };
