import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import { parseMarkdown } from "../../../../src/wire/markdown/parse.ts";
import { blockToText, cutForExcerpt } from "../../../../src/wire/markdown/plain.ts";
import type { Block, Inline } from "../../../../src/wire/markdown/tree.ts";
import { Inlines, type NameResolver } from "./inlines.tsx";

/** The number of characters of a text that a row can show. */
const LENGTH = 250;
const RESOLVES_NOTHING: NameResolver = { mention: () => null, room: () => null, place: () => null };

/**
 * The start of a text on one line, for rows that are links. Styles stay; links and blocks become
 * plain text. Where white space is preserved, blocks and lines of code begin on new lines.
 */
export function TextLine({ text }: { text: string }) {
  const blocks = useMemo(() => parseMarkdown(cutForExcerpt(text, LENGTH)), [text]);
  return blocks.map((block, i) => (
    <Fragment key={i}>
      {i > 0 && "\n"}
      <LineOf block={block} />
    </Fragment>
  ));
}

function LineOf({ block }: { block: Block }) {
  if (block.type === "code") return <code>{block.text}</code>;
  if (block.type !== "paragraph" && block.type !== "heading") return blockToText(block);
  return <Inlines nodes={block.children.flatMap(flatten)} resolver={RESOLVES_NOTHING} />;
}

/**
 * Removes nodes that do not belong on a line, and turns links into text, because the row is a link.
 */
function flatten(node: Inline): Inline[] {
  if (node.type === "break") return [{ type: "text", text: " " }];
  if (node.type === "link") return node.children.flatMap(flatten);
  if ("children" in node) return [{ ...node, children: node.children.flatMap(flatten) }];
  return [node];
}
