import { Square, SquareCheck } from "lucide";
import type { ComponentChildren } from "preact";
import type { Inline } from "../../../../src/wire/markdown/tree.ts";
import { Icon } from "../icon.tsx";
import { t } from "../../words/translate.ts";
import { useEffect } from "preact/hooks";
import { emojiData, loadEmoji } from "../emoji/load-emoji.ts";

/** Resolves names in a text for the reader. */
export type NameResolver = {
  /** Whether the name is a mention, and whether it is the reader's. */
  mention(username: string): "me" | "someone" | null;
  /** The address of a room; null if the reader does not see it. */
  room(name: string): string | null;
  /** The path and the link text of a URL within this client; null for other URLs. */
  place(url: string): { path: string; name: ComponentChildren } | null;
};

/** In characters: shorter code has no line break, and fits into a narrow list. */
const MAX_UNBROKEN = 24;

/** Text with its formatting, links, mentions and emoji. */
export function Inlines({ nodes, resolver }: { nodes: Inline[]; resolver: NameResolver }) {
  return nodes.map((node, i) => <InlineOf key={i} node={node} resolver={resolver} />);
}

function InlineOf({ node, resolver }: { node: Inline; resolver: NameResolver }) {
  switch (node.type) {
    case "text":
      return node.text;
    case "break":
      return <br />;
    case "task":
      return <Task isDone={node.isDone} />;
    case "code":
      return (
        <code dir="ltr" class={node.text.length > MAX_UNBROKEN ? undefined : "short"}>
          {node.text}
        </code>
      );
    case "link": {
      const place = resolver.place(node.url);
      if (place)
        return <a href={place.path}>{isBare(node) ? place.name : children(node, resolver)}</a>;
      return (
        <a href={node.url} target="_blank" rel="noopener noreferrer">
          {children(node, resolver)}
        </a>
      );
    }
    case "emoji":
      return <Shortcode name={node.name} text={node.text} />;
    case "mention": {
      const mention = resolver.mention(node.name);
      return mention ? <span class={`mention strong ${mention}`}>{node.text}</span> : node.text;
    }
    case "room": {
      const path = resolver.room(node.name);
      return path ? (
        <a class="room-reference strong" href={path}>
          {node.text}
        </a>
      ) : (
        node.text
      );
    }
    default: {
      const Tag = TAGS[node.type];
      return <Tag>{children(node, resolver)}</Tag>;
    }
  }
}

function Task({ isDone }: { isDone: boolean }) {
  return (
    <span class="task" role="img" aria-label={t(isDone ? "task.done" : "task.open")}>
      <Icon of={isDone ? SquareCheck : Square} />
    </span>
  );
}

function children(node: { children: Inline[] }, resolver: NameResolver) {
  return <Inlines nodes={node.children} resolver={resolver} />;
}

/** Whether a link is shown as its URL. */
function isBare({ url, children }: { url: string; children: Inline[] }): boolean {
  const [only] = children;
  return children.length === 1 && only?.type === "text" && only.text === url;
}

const TAGS = { strong: "strong", em: "em", strike: "s" } as const;

/** Renders `:name:` as the emoji of that name, or as text if no emoji has that name. */
function Shortcode({ name, text }: { name: string; text: string }) {
  useEffect(() => void loadEmoji(), []);
  const emoji = emojiData.value?.emojiByName(name);
  if (!emoji) return <>{text}</>;
  return (
    <span role="img" aria-label={emoji.label} title={text}>
      {emoji.emoji}
    </span>
  );
}
