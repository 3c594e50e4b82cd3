import { Type as t } from "@sinclair/typebox";
import {
  MAX_ALT_LENGTH,
  MAX_CONTENT_LENGTH,
  MAX_DISPLAY_NAME_LENGTH,
  MAX_EMAIL_LENGTH,
  MAX_PASSWORD_LENGTH,
  MAX_ROOM_DESCRIPTION_LENGTH,
  MIN_PASSWORD_LENGTH,
} from "../limits.ts";
import {
  EMAIL_PATTERN,
  ROOM_NAME_PATTERN,
  TIMESTAMP_PATTERN,
  USERNAME_INPUT_PATTERN,
  UUID_PATTERN,
} from "../patterns.ts";

/** Fields of several requests. */

const characters = (min: number, max: number) => `text of ${min} to ${max} characters`;
export const Username = t.String({
  pattern: USERNAME_INPUT_PATTERN,
  description: "1 to 32 letters, digits, dots, dashes or underscores; compared in lower case",
  expected: "1 to 32 letters, digits, dots, dashes or underscores",
});

/**
 * The length of a text whose rule counts code points, as the API's description does (`maxCharacters`).
 * `maxLength` counts UTF-16 units, and only bounds the work.
 */
export const atMost = (maxCharacters: number) => ({ maxLength: maxCharacters * 2, maxCharacters });
export const Password = t.String({
  minLength: MIN_PASSWORD_LENGTH,
  ...atMost(MAX_PASSWORD_LENGTH),
  expected: characters(MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH),
});
export const Email = t.String({
  pattern: EMAIL_PATTERN,
  maxLength: MAX_EMAIL_LENGTH,
  expected: "an email address",
});

/**
 * A name that people choose. The rules count its length in code points after trimming; this only
 * bounds the work.
 */
export const nameOf = (maxLength: number) =>
  t.String({
    maxLength: maxLength * 4,
    maxCharacters: maxLength,
    expected: characters(1, maxLength),
  });
export const DisplayName = nameOf(MAX_DISPLAY_NAME_LENGTH);
export const RoomName = t.String({
  pattern: ROOM_NAME_PATTERN,
  description: "1 to 40 lower-case letters, digits, dashes or underscores",
  expected: "1 to 40 lower-case letters, digits, dashes or underscores",
});
export const Description = t.String({
  ...atMost(MAX_ROOM_DESCRIPTION_LENGTH),
  expected: `text of at most ${MAX_ROOM_DESCRIPTION_LENGTH} characters`,
});

/** Returned unchanged, so it is no `Id`. */
export const ClientId = t.String({ pattern: `(?:${UUID_PATTERN})`, expected: "a UUID" });

/** A time in a request. The server's `timeOf` checks that such a day exists. */
export const Time = t.String({
  pattern: TIMESTAMP_PATTERN,
  description: "RFC 3339",
  expected: "a time such as 2026-01-31T12:00:00Z",
});

export const Content = t.String({
  ...atMost(MAX_CONTENT_LENGTH),
  expected: `text of at most ${MAX_CONTENT_LENGTH.toLocaleString("en")} characters`,
});
export const ImageAlt = t.String({
  maxLength: MAX_ALT_LENGTH,
  expected: `text of at most ${MAX_ALT_LENGTH.toLocaleString("en")} characters`,
});
