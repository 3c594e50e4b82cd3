import { type Json, listOf, objectOf, textOf, truncateLine } from "./json.ts";
import {
  escapeMarkdown,
  formatCode,
  formatLink,
  formatTextLink,
  type Inline,
  toLink,
  writeMarkdown,
} from "./markdown.ts";
import { createHmac, timingSafeEqual } from "node:crypto";
import { Refusal } from "../../platform/refusal.ts";
import { unsealValue } from "../../platform/secrets/sealed.ts";
import type { ReadKey } from "../../platform/secrets/secrets.ts";

/** Further commits are only counted. */
const MAX_COMMITS = 5;

/** The all-zero hash in the payload of a created or deleted branch. */
const NO_COMMIT = /^0{40,64}$/;

type Format = (payload: Json) => string | null;

const EVENTS = new Map<string, Format>(
  Object.entries({
    ping: (payload: Json) => `${formatRepository(payload)} is connected.`,
    push: formatPush,
    pull_request: (payload: Json) =>
      formatItem(payload, "pull_request", "pull request", PULL_REQUEST),
    issues: (payload: Json) => formatItem(payload, "issue", "issue", ISSUE),
    issue_comment: formatComment,
    release: formatRelease,
    workflow_run: formatWorkflowRun,
  }),
);
const ISSUE = ["opened", "closed", "reopened"];
const PULL_REQUEST = [...ISSUE, "ready_for_review"];

/** Gitea, Forgejo and Gogs send GitHub's events, with GitHub's header in addition to their own. */
const EVENT_HEADERS = ["x-github-event", "x-gitea-event", "x-forgejo-event", "x-gogs-event"];

/**
 * Finds the event of a payload in GitHub's form; null for another form. The header does not
 * suffice, since Gitea also sends it with Slack's form.
 */
export function findGithubEvent(headers: Headers, payload: Json): string | null {
  const event = EVENT_HEADERS.map((name) => headers.get(name)).find((value) => value) ?? null;
  const isAbout = (name: string) => Object.keys(objectOf(payload[name])).length > 0;
  const isGithub = isAbout("sender") || isAbout("repository") || (event && isAbout(event));
  return isGithub ? event : null;
}

/** Whether GitHub itself sent the event: users of Gitea, Forgejo and Gogs have a `username`. */
export function isFromGithub(headers: Headers, payload: Json): boolean {
  const hasOwnHeader = EVENT_HEADERS.slice(1).some((name) => headers.has(name));
  return !hasOwnHeader && objectOf(payload.sender).username === undefined;
}

/** GitHub: "Webhook events and payloads". @returns null for an event that is ignored */
export function formatGithubEvent(event: string, payload: Json): string | null {
  return EVENTS.get(event)?.(payload) ?? null;
}

function formatPush(payload: Json): string | null {
  const commits = listOf(payload.commits);
  const ref = textOf(payload.ref);
  const branch = formatCode(ref.replace(/^refs\/(?:heads|tags)\//, ""));
  const kind = ref.startsWith("refs/tags/") ? "tag" : "branch";
  // Gogs sends no `sender` with this event.
  const actor = `${formatRepository(payload)} ${formatPerson(payload.sender ?? payload.pusher)}`;
  const isDeleted = payload.deleted === true || NO_COMMIT.test(textOf(payload.after));
  const isCreated = payload.created === true || NO_COMMIT.test(textOf(payload.before));
  if (isDeleted) return `${actor} deleted the ${kind} ${branch}`;
  if (commits.length === 0) {
    return isCreated ? `${actor} made the ${kind} ${branch}` : null;
  }
  // Gitea lists only some of the commits.
  const total = Math.max(commits.length, Number(payload.total_commits) || 0);
  const count = total === 1 ? "1 commit" : `${total} commits`;
  const verb = payload.forced === true ? "force-pushed" : "pushed";
  const heading = `${actor} ${verb} ${formatLink(count, payload.compare ?? payload.compare_url)} to ${branch}`;
  const lines = commits.slice(0, MAX_COMMITS).map((commit) => {
    const id = formatLink(formatCode(textOf(commit.id).slice(0, 7)), commit.url);
    return `- ${id} ${escapeMarkdown(truncateLine(textOf(commit.message)))}`;
  });
  const omittedCount = total - lines.length;
  return [heading, ...lines, ...(omittedCount > 0 ? [`and ${omittedCount} more`] : [])].join("\n");
}

function formatItem(payload: Json, key: string, kind: string, actions: string[]): string | null {
  const subject = objectOf(payload[key]);
  const action = textOf(payload.action);
  if (!actions.includes(action)) return null;
  const verb =
    subject.merged === true
      ? "merged"
      : action === "ready_for_review"
        ? "opened for review"
        : action;
  return `${formatRepository(payload)} ${formatPerson(payload.sender)} ${verb} ${kind} ${formatTitle(subject)}`;
}

function formatComment(payload: Json): string | null {
  if (payload.action !== "created") return null;
  const comment = objectOf(payload.comment);
  const words = escapeMarkdown(truncateLine(textOf(comment.body), 300));
  const heading = `${formatRepository(payload)} ${formatPerson(payload.sender)} ${formatLink("commented", comment.html_url)} on ${formatTitle(objectOf(payload.issue))}`;
  return words ? `${heading}\n> ${words}` : heading;
}

function formatRelease(payload: Json): string | null {
  if (payload.action !== "published") return null;
  const release = objectOf(payload.release);
  const text = truncateLine(textOf(release.name) || textOf(release.tag_name));
  const title: Inline = { type: "bold", children: [{ type: "text", text }] };
  return `${formatRepository(payload)} ${formatPerson(payload.sender)} released ${writeMarkdown(toLink([title], release.html_url))}`;
}

function formatWorkflowRun(payload: Json): string | null {
  if (payload.action !== "completed") return null;
  const run = objectOf(payload.workflow_run);
  const conclusion = textOf(run.conclusion) || "completed";
  const sign = conclusion === "success" ? "✅" : conclusion === "failure" ? "❌" : "⚪";
  const branch = textOf(run.head_branch);
  const name =
    textOf(run.name) ||
    textOf(objectOf(payload.workflow).name) ||
    textOf(run.display_title) ||
    `run #${textOf(run.run_number)}`;
  return `${sign} ${formatRepository(payload)} ${formatTextLink(truncateLine(name), run.html_url)} ${conclusion.replaceAll("_", " ")}${branch ? ` on ${formatCode(branch)}` : ""}`;
}

function formatRepository(payload: Json): string {
  const { full_name, html_url } = objectOf(payload.repository);
  const name = textOf(full_name) || textOf(objectOf(payload.organization).login) || "GitHub";
  return `**${formatTextLink(name, html_url)}**`;
}

function formatPerson(user: unknown): string {
  const { login, username, html_url } = objectOf(user);
  return formatTextLink(textOf(login) || textOf(username) || "Someone", html_url);
}

/** `#12 Its title`, with the number as a link; escaped, so that it does not name a room. */
function formatTitle(subject: Json): string {
  return `${formatLink(`\\#${textOf(subject.number)}`, subject.html_url)} ${escapeMarkdown(truncateLine(textOf(subject.title)))}`;
}

/** The purpose, for `sealValue` and for the command that rotates the secret key. */
export const GITHUB_SECRET = "GitHub secret of a webhook";

/**
 * Checks `X-Hub-Signature-256`, an HMAC-SHA256 of the body as it was sent, in constant time
 * (GitHub: "Validating webhook deliveries").
 * @param sealedSecret the webhook's secret
 * @throws Refusal `unauthenticated`
 */
export async function checkGithubSignature(
  readKey: ReadKey,
  sealedSecret: Buffer,
  request: Request,
  body: Buffer,
): Promise<void> {
  const secret = unsealValue(await readKey(), GITHUB_SECRET, sealedSecret);
  const mac = createHmac("sha256", secret).update(body).digest("hex");
  const signature = Buffer.from(`sha256=${mac}`);
  const actual = Buffer.from(request.headers.get("x-hub-signature-256") ?? "");
  if (actual.length !== signature.length || !timingSafeEqual(actual, signature)) {
    throw new Refusal("unauthenticated", "The signature does not match the webhook's secret.");
  }
}
