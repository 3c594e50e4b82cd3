import {
  escapeMarkdown,
  formatLink,
  type Json,
  listOf,
  objectOf,
  textOf,
  truncateLine,
} from "./json.ts";

/** Commits that are listed; the rest is counted. */
const MAX_COMMITS = 5;

type Format = (payload: Json) => string | null;

/** GitHub's events that become a message; the others are ignored. */
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

/**
 * Formats an event as Markdown (GitHub: "Webhook events and payloads").
 * @returns null for an event that is not worth a message
 */
export function formatGithubEvent(event: string, payload: Json): string | null {
  return EVENTS.get(event)?.(payload) ?? null;
}

function formatPush(payload: Json): string | null {
  const commits = listOf(payload.commits);
  const ref = textOf(payload.ref);
  const branch = formatCode(ref.replace(/^refs\/(?:heads|tags)\//, ""));
  const kind = ref.startsWith("refs/tags/") ? "tag" : "branch";
  const actor = `${formatRepository(payload)} ${formatPerson(payload.sender)}`;
  if (payload.deleted === true) return `${actor} deleted the ${kind} ${branch}`;
  if (commits.length === 0) {
    return payload.created === true ? `${actor} made the ${kind} ${branch}` : null;
  }
  const count = commits.length === 1 ? "1 commit" : `${commits.length} commits`;
  const verb = payload.forced === true ? "force-pushed" : "pushed";
  const heading = `${actor} ${verb} ${formatLink(count, payload.compare)} to ${branch}`;
  const lines = commits.slice(0, MAX_COMMITS).map((commit) => {
    const id = formatLink(formatCode(textOf(commit.id).slice(0, 7)), commit.url);
    return `- ${id} ${escapeMarkdown(truncateLine(textOf(commit.message)))}`;
  });
  const more = commits.length - MAX_COMMITS;
  return [heading, ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
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
  const name = textOf(release.name) || textOf(release.tag_name);
  return `${formatRepository(payload)} ${formatPerson(payload.sender)} released ${formatLink(`**${escapeMarkdown(truncateLine(name))}**`, release.html_url)}`;
}

function formatWorkflowRun(payload: Json): string | null {
  if (payload.action !== "completed") return null;
  const run = objectOf(payload.workflow_run);
  const conclusion = textOf(run.conclusion);
  const sign = conclusion === "success" ? "✅" : conclusion === "failure" ? "❌" : "⚪";
  const branch = textOf(run.head_branch);
  return `${sign} ${formatRepository(payload)} ${formatLink(escapeMarkdown(truncateLine(textOf(run.name))), run.html_url)} ${conclusion.replaceAll("_", " ")}${branch ? ` on ${formatCode(branch)}` : ""}`;
}

function formatRepository(payload: Json): string {
  const { full_name, html_url } = objectOf(payload.repository);
  return `**${formatLink(escapeMarkdown(textOf(full_name) || "GitHub"), html_url)}**`;
}

function formatPerson(user: unknown): string {
  const { login, html_url } = objectOf(user);
  return formatLink(escapeMarkdown(textOf(login) || "Someone"), html_url);
}

/** `#12 Its title`, with the number as a link; escaped, so that it does not name a room. */
function formatTitle(subject: Json): string {
  return `${formatLink(`\\#${textOf(subject.number)}`, subject.html_url)} ${escapeMarkdown(truncateLine(textOf(subject.title)))}`;
}

function formatCode(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}
