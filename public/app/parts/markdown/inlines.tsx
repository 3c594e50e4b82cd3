import type { Inline } from "../../../../src/wire/markdown/tree.ts";
import { Shortcode } from "../emoji/shortcode.tsx";

/** Resolves names in a text for the reader. */
export type Known = {
  /** Whether the name is a mention, and whether it is the reader's. */
  mention(username: string): "me" | "someone" | null;
  /** The address of a room; null if the reader does not see it. */
  room(name: string): string | null;
};

export function Inlines({ nodes, known }: { nodes: Inline[]; known: Known }) {
  return nodes.map((node, i) => <InlineOf key={i} node={node} known={known} />);
}

function InlineOf({ node, known }: { node: Inline; known: Known }) {
  switch (node.type) {
    case "text":
      return node.text;
    case "break":
      return <br />;
    case "code":
      return <code dir="ltr">{node.text}</code>;
    case "link":
      return (
        <a href={node.url} target="_blank" rel="noopener noreferrer">
          <Inlines nodes={node.children} known={known} />
        </a>
      );
    case "emoji":
      return <Shortcode name={node.name} text={node.text} />;
    case "mention": {
      const who = known.mention(node.name);
      return who ? <span class={`mention ${who}`}>{node.text}</span> : node.text;
    }
    case "room": {
      const path = known.room(node.name);
      return path ? (
        <a class="room-reference" href={path}>
          {node.text}
        </a>
      ) : (
        node.text
      );
    }
    default: {
      const Tag = TAGS[node.type];
      return (
        <Tag>
          <Inlines nodes={node.children} known={known} />
        </Tag>
      );
    }
  }
}

const TAGS = { strong: "strong", em: "em", strike: "s" } as const;
