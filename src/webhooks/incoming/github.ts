import { brief, type Json, link, listOf, literal, objectOf, textOf } from "./json.ts";

const COMMITS = 5;

type Read = (payload: Json) => string | null;

/** GitHub's events that are told; of the others nothing is said. */
const EVENTS = new Map<string, Read>(
  Object.entries({
    ping: (payload: Json) => `${repository(payload)} is connected.`,
    push,
    pull_request: (payload: Json) => item(payload, "pull_request", "pull request", PULL_REQUEST),
    issues: (payload: Json) => item(payload, "issue", "issue", ISSUE),
    issue_comment: comment,
    release,
    workflow_run: workflowRun,
  }),
);
const ISSUE = ["opened", "closed", "reopened"];
const PULL_REQUEST = [...ISSUE, "ready_for_review"];

/**
 * One of GitHub's events in words (GitHub: "Webhook events and payloads").
 * @returns null for what is not worth a message
 */
export function readGithub(event: string, payload: Json): string | null {
  return EVENTS.get(event)?.(payload) ?? null;
}

function push(payload: Json): string | null {
  const commits = listOf(payload.commits);
  const ref = textOf(payload.ref);
  const branch = code(ref.replace(/^refs\/(?:heads|tags)\//, ""));
  const kind = ref.startsWith("refs/tags/") ? "tag" : "branch";
  const who = `${repository(payload)} ${person(payload.sender)}`;
  if (payload.deleted === true) return `${who} deleted the ${kind} ${branch}`;
  if (commits.length === 0) {
    return payload.created === true ? `${who} made the ${kind} ${branch}` : null;
  }
  const count = commits.length === 1 ? "1 commit" : `${commits.length} commits`;
  const verb = payload.forced === true ? "force-pushed" : "pushed";
  const head = `${who} ${verb} ${link(count, payload.compare)} to ${branch}`;
  const lines = commits.slice(0, COMMITS).map((commit) => {
    const id = link(code(textOf(commit.id).slice(0, 7)), commit.url);
    return `- ${id} ${literal(brief(textOf(commit.message)))}`;
  });
  const more = commits.length - COMMITS;
  return [head, ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

function item(payload: Json, key: string, kind: string, told: string[]): string | null {
  const about = objectOf(payload[key]);
  const action = textOf(payload.action);
  if (!told.includes(action)) return null;
  const verb =
    about.merged === true ? "merged" : action === "ready_for_review" ? "opened for review" : action;
  return `${repository(payload)} ${person(payload.sender)} ${verb} ${kind} ${titled(about)}`;
}

function comment(payload: Json): string | null {
  if (payload.action !== "created") return null;
  const said = objectOf(payload.comment);
  const words = literal(brief(textOf(said.body), 300));
  const head = `${repository(payload)} ${person(payload.sender)} ${link("commented", said.html_url)} on ${titled(objectOf(payload.issue))}`;
  return words ? `${head}\n> ${words}` : head;
}

function release(payload: Json): string | null {
  if (payload.action !== "published") return null;
  const made = objectOf(payload.release);
  const name = textOf(made.name) || textOf(made.tag_name);
  return `${repository(payload)} ${person(payload.sender)} released ${link(`**${literal(brief(name))}**`, made.html_url)}`;
}

function workflowRun(payload: Json): string | null {
  if (payload.action !== "completed") return null;
  const run = objectOf(payload.workflow_run);
  const conclusion = textOf(run.conclusion);
  const sign = conclusion === "success" ? "✅" : conclusion === "failure" ? "❌" : "⚪";
  const branch = textOf(run.head_branch);
  return `${sign} ${repository(payload)} ${link(literal(brief(textOf(run.name))), run.html_url)} ${conclusion.replaceAll("_", " ")}${branch ? ` on ${code(branch)}` : ""}`;
}

function repository(payload: Json): string {
  const { full_name, html_url } = objectOf(payload.repository);
  return `**${link(literal(textOf(full_name) || "GitHub"), html_url)}**`;
}

function person(given: unknown): string {
  const { login, html_url } = objectOf(given);
  return link(literal(textOf(login) || "Someone"), html_url);
}

/** `#12 Its title`: the number leads there, and is no room of ours. */
function titled(about: Json): string {
  return `${link(`\\#${textOf(about.number)}`, about.html_url)} ${literal(brief(textOf(about.title)))}`;
}

function code(text: string): string {
  return `\`${text.replaceAll("`", "'")}\``;
}
