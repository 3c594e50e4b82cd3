import { hasVisible } from "../../wire/unicode.ts";
import { isStorable } from "./json.ts";
import { makeFieldRefusal } from "../refusal.ts";

/**
 * Trims and validates a name: one line, at least one visible character, and no characters that change
 * the text direction.
 * @param field the path of the field in the request, for the refusal
 * @param maxLength in Unicode code points
 * @throws Refusal `validation`
 */
export function cleanName(input: string, field: string, maxLength: number): string {
  const name = input.trim();
  if (name === "" || [...name].length > maxLength || /\p{Cc}/u.test(name) || !isStorable(name)) {
    throw makeFieldRefusal(field, `A name is 1 to ${maxLength} characters on one line.`);
  }
  checkVisible(name, field);
  return name;
}

/**
 * As `cleanName`, for text of several lines.
 * @returns null for blank text
 * @throws Refusal `validation`
 */
export function cleanDescription(input: string, field: string, maxLength: number): string | null {
  const text = input.trim();
  if (text === "") return null;
  if ([...text].length > maxLength) {
    throw makeFieldRefusal(field, `A description can have at most ${maxLength} characters.`);
  }
  checkVisible(text, field);
  return text;
}

function checkVisible(text: string, field: string): void {
  if (!hasVisible(text)) throw makeFieldRefusal(field, "Write at least one visible character.");
  if (/\p{Bidi_Control}/u.test(text)) {
    throw makeFieldRefusal(
      field,
      "Characters that change the direction of text are not allowed here.",
    );
  }
}
