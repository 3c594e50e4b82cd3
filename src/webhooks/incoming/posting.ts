import { gemoji } from "gemoji";
import { parseBounded } from "../../platform/json.ts";
import { MAX_DISPLAY_NAME_LENGTH, MAX_WEBHOOK_VALUES } from "../../wire/limits.ts";
import { hasVisible } from "../../wire/visible.ts";
import { isAlerts, readAlerts } from "./alerts.ts";
import { Answer } from "./answer.ts";
import { readGithub } from "./github.ts";
import { type Json, textOf } from "./json.ts";
import { readSlack } from "./slack/message.ts";

/** What is posted: Markdown of ours, and what it goes by where the payload says so. */
export type Posting = { text: string; username: string | null; iconEmoji: string | null };

/**
 * Understands what a program posts: Slack's form, GitHub's events, and what Alertmanager and Grafana
 * send by themselves.
 * @returns null for what is understood and says nothing
 * @throws Answer `invalid_payload`, `no_text`
 */
export function readPosting(request: Request, body: Buffer): Posting | null {
  const payload = parse(request, body);
  const event = request.headers.get("x-github-event");
  if (event) return ofText(readGithub(event, payload), "GitHub");
  if (isAlerts(payload)) return ofText(readAlerts(payload), null);
  const text = readSlack(payload);
  if (text === "") throw new Answer(400, "no_text");
  return {
    text,
    username: nameOf(textOf(payload.username)),
    iconEmoji: emojiOf(textOf(payload.icon_emoji)),
  };
}

const ofText = (text: string | null, username: string | null): Posting | null =>
  text === null ? null : { text, username, iconEmoji: null };

/** JSON, or a form that holds it as `payload`. */
function parse(request: Request, body: Buffer): Json {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const sent = body.toString("utf8");
  const text =
    type === "application/x-www-form-urlencoded"
      ? (new URLSearchParams(sent).get("payload") ?? sent)
      : sent;
  let payload: unknown;
  try {
    payload = parseBounded(text, MAX_WEBHOOK_VALUES);
  } catch {
    throw new Answer(400, "invalid_payload");
  }
  if (typeof payload === "object" && payload !== null && !Array.isArray(payload)) {
    return payload as Json;
  }
  throw new Answer(400, "invalid_payload");
}

function nameOf(given: string): string | null {
  const name = given
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
    .trim();
  const short = [...name].slice(0, MAX_DISPLAY_NAME_LENGTH).join("");
  return hasVisible(short) ? short : null;
}

let byName: Map<string, string> | undefined;

/** `:tada:` as an emoji; one that nobody knows is none. */
function emojiOf(given: string): string | null {
  byName ??= new Map(gemoji.flatMap(({ emoji, names }) => names.map((name) => [name, emoji])));
  return byName.get(given.replace(/^:|:$/g, "")) ?? null;
}
