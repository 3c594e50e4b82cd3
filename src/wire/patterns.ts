/** A provider's name in URLs. */
export const PROVIDER_SLUG_PATTERN = "^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$";
/** The value of a native colour input. */
export const COLOR_PATTERN = "^#[0-9a-f]{6}$";
/** An ASCII https URL, as used by push services. */
export const PUSH_ENDPOINT_PATTERN = "^https://[!-~]{1,2000}$";
/** An RFC 3339 time. */
export const TIMESTAMP_PATTERN =
  "^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,9})?(?:[Zz]|[+-]\\d{2}:\\d{2})$";
/** Ids in requests may be in upper case; they are converted to lower case. */
export const UUID_PATTERN =
  "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";
/** A SHA-256 in hex, as in an image's URL. */
export const SHA256_PATTERN = "^[0-9a-f]{64}$";
export const ROOM_NAME_PATTERN = "^[a-z0-9](?:[a-z0-9_-]{0,38}[a-z0-9])?$";
/** A username as stored. Input is folded to lower case before it is compared. */
export const USERNAME_PATTERN = "^[a-z0-9](?:[a-z0-9._-]{0,30}[a-z0-9])?$";
export const USERNAME_INPUT_PATTERN = "^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,30}[A-Za-z0-9])?$";
/** Catches typos; only sending an email can show that an address exists. */
export const EMAIL_PATTERN = '^[^\\s@<>",;:()\\\\]+@[^\\s@<>",;:()\\\\]+\\.[^\\s@<>",;:()\\\\]+$';
