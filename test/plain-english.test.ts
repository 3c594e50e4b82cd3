import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Words that docs/development/words.md bans, and what to write instead. A pattern is matched against each line:
 * comments, names, texts and documentation alike.
 */
const BANNED: [pattern: RegExp, instead: string][] = [
  [/\banew\b/i, "again"],
  [/\bwhoever\b/i, "anyone who, or the noun"],
  [
    /\b(?:one's own|of one's|under one's|to one's|on one's|changing one's|one's picture)\b/i,
    "your own, their, its",
  ],
  [
    /\bwhere one (?:is|was|left|stopped|goes|looks|writes|scrolled)\b|\bwhat one (?:writes|may|knows|has)\b|\blets one\b/i,
    "the user, you, they",
  ],
  [/\b(?:is|are|be|been|was|were) told\b/i, "is notified, receives, learns"],
  [/\btold apart\b/i, "distinguished"],
  [/\bstands? (?:in|on|by|at|beside|over|behind|for itself)\b/i, "is"],
  [/\bstandsOn\b/i, "credential"],
  [/\b(?:what|who|that|which|and) (?:is|are|was) none\b/i, "name the thing"],
  [/\bnothing (?:is|was) said\b/i, "no value"],
  [/\bhandSql\b/i, "sql"],
  [/\bcrowds?\b/i, "limit, or the number of people"],
  [/\btellers?\b/i, "notifier"],
  [/\b(?:tried|tries) again\b/i, "retried"],
  [/\b(?:tries|attempts) (?:is|are) used up\b/i, "out of attempts"],
  [/\bunseen\b/i, "invisible, visually hidden, unread"],
  [/\bkept (?:pages?|answers?)\b/i, "cached"],
  [/\bgiven\??: /, "params, or a name"],
  [/\bletters?\.ts\b|\bLetter\b/, "template (of an email), payload (of a webhook)"],
  [/\b[hH]ook(?:s)?(?:Row|Routes|Event)\b/, "webhook"],
  [
    /\bso many (?:bytes|minutes|seconds|more|characters|deliveries|messages|connections)\b/i,
    "this many",
  ],
  [/\b(?:is|are|was|were|be) let go\b/i, "dropped, released"],
  [/\bthe house\b/i, "Snug, the structure"],
  [/\b(?:words of (?:people|someone|theirs)|look(?:ed)? for words)\b/i, "keywords"],
  [/\bwith a word\b/i, "with a toast, with a message"],
  [/\b(?:anything|all) that (?:it|a message) said\b/i, "its content"],
];

/** The same for code alone: tests and benches describe more freely. */
const BANNED_IN_CODE: [pattern: RegExp, instead: string][] = [
  [/(?:\/\*\*|\/\/) Of (?!course)/, "the noun first: the limit of, the key of, for"],
  [/\b(?:for|after) so long\b|\b(?:every )?so often\b/i, "for this long, at most this often"],
  [/\b(?:saves?|keeps?) (?:it|them|this|a \w+) no more\b|\bor no more\b/i, "removes"],
  [/\bis at a provider\b/i, "is in progress at a provider"],
  [/\bplan(?:s|ned) (?:a )?messages?\b/i, "schedule, scheduled message"],
  [/\b(?:while|where|whether|what|if|that) one (?:follows|may|can|writes|looks|leaves)\b/i, "you"],
  [/\btake(?:Room|Mark|Tail)\b/, "merge, or the noun"],
  [/#fly\b|\bFlight\b|\bonLanded\b/, "start, request, onLoaded"],
  [/\bhurry\b|\bmayPass\b/, "reconnectNow, isRetryable"],
  [/\b(?:foldReplies|FoldRow|isFold(?:Last)?)\b/, "group of replies"],
  [/\b(?:isOut|outText|WayOut)\b/, "disabled, the action"],
  [/\b(?:placeKey|showFirstScreen|wantDirect)\b/, "draftKey, reportFirstScreen, loadDirect"],
  [
    /\b(?:isUnsure|(?:room|thread)KeptUnread|createParts|loadPart|isKeptKnown|startKeeping|(?:Thread|Missing|Draft|Profile)Parts?)\b/,
    "what it is",
  ],
];
const CODE = /^(?:src|jobs|public|cli\.ts)/;

/** Where the words are listed or are data, and texts of other languages. */
const SKIPPED =
  /^(?:docs\/development\/words\.md|test\/plain-english\.test\.ts|test\/database\/releases\/|public\/app\/words\/(?:de|es)\/)/;
const ROOT = join(import.meta.dir, "..");
const FOLDERS = ["src", "jobs", "public", "docs", "test", "bench"];
const ENDINGS = "{ts,tsx,css,html,md,sql}";
const FILES = ["*", ...FOLDERS.map((folder) => `${folder}/**/*`)].flatMap((path) => [
  ...new Bun.Glob(`${path}.${ENDINGS}`).scanSync({ cwd: ROOT }),
]);

test("names, comments, texts and documentation use the words of docs/development/words.md", () => {
  const found: string[] = [];
  for (const file of FILES.sort()) {
    if (SKIPPED.test(file)) continue;
    const lines = readFileSync(join(ROOT, file), "utf8").split("\n");
    for (const [index, line] of lines.entries()) {
      for (const [pattern, instead] of CODE.test(file) ? [...BANNED, ...BANNED_IN_CODE] : BANNED) {
        const [word] = pattern.exec(line) ?? [];
        if (word) found.push(`${file}:${index + 1}: "${word}"; write ${instead}: ${line.trim()}`);
      }
    }
  }
  expect(found).toEqual([]);
  expect(FILES.length).toBeGreaterThan(500);
});
