import type { SharedStorage } from "../../connection/storage.ts";
import type { DeviceDrafts } from "./device-drafts.ts";
import {
  type DraftAttachments,
  emptyDraft,
  NO_BODY,
  type StoredDraft,
} from "../model/draft-copy.ts";

/** Version 0.1.0 stored a draft's text and its other fields under two keys. */
const TEXT = "snug.draft.";
const FACTS = "snug.draft-copy.";

type Facts = Partial<Omit<StoredDraft, "here">> & { parts?: DraftAttachments };

/**
 * Imports the drafts of earlier versions. A text that an old tab stored next to a newer draft is
 * appended to it. If there is no space, the old drafts stay as they are until the next start.
 */
export function importFormerDrafts(
  storage: SharedStorage,
  userId: string,
  drafts: DeviceDrafts,
): void {
  const prefixes = [TEXT, FACTS].map((prefix) => `${prefix}${userId}.`);
  const keys = storage.keys().flatMap((storageKey) => {
    const prefix = prefixes.find((prefix) => storageKey.startsWith(prefix));
    return prefix === undefined ? [] : [storageKey.slice(prefix.length)];
  });
  for (const key of new Set(keys)) {
    const [content, json] = prefixes.map((prefix) => storage.getItem(prefix + key));
    const draft = drafts.read(key);
    const next = draft.edit === 0 ? toDraft(readFacts(json)) : draft;
    if (drafts.write(key, withText(next, content ?? ""))) {
      for (const prefix of prefixes) storage.removeItem(prefix + key);
    }
  }
}

function toDraft({ parts, ...facts }: Facts): StoredDraft {
  const base = { ...emptyDraft.base, ...facts.base };
  return { ...emptyDraft, ...facts, base, here: { ...NO_BODY, ...parts } };
}

function withText(draft: StoredDraft, text: string): StoredDraft {
  const { here } = draft;
  if (here.content.includes(text)) return draft;
  const content = [here.content, text].filter(Boolean).join("\n");
  return { ...draft, here: { ...here, content } };
}

function readFacts(json: string | null | undefined): Facts {
  try {
    return JSON.parse(json ?? "{}") ?? {};
  } catch {
    return {};
  }
}
