import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { parseMarkdown } from "../../../../src/wire/markdown/parse.ts";
import type { Block } from "../../../../src/wire/markdown/tree.ts";
import { CodeBlock } from "./code-block.tsx";
import { Table } from "./table.tsx";
import { Inlines, type Known } from "./inlines.tsx";

type MarkdownProps = {
  text: string;
  known: Known;
  /** Appended after the last word. */
  end?: ComponentChildren;
};

/** Renders the tree of a parsed text as elements. Names that are unknown are rendered as written. */
export function Markdown({ text, known, end }: MarkdownProps) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  const last = blocks.at(-1);
  if (!end || last?.type !== "paragraph") {
    return (
      <>
        <Blocks blocks={blocks} known={known} />
        {end}
      </>
    );
  }
  return (
    <>
      <Blocks blocks={blocks.slice(0, -1)} known={known} />
      <p>
        <Inlines nodes={last.children} known={known} /> {end}
      </p>
    </>
  );
}

function Blocks({ blocks, known }: { blocks: Block[]; known: Known }) {
  return blocks.map((block, i) => <BlockOf key={i} block={block} known={known} />);
}

function BlockOf({ block, known }: { block: Block; known: Known }) {
  switch (block.type) {
    case "paragraph":
      return (
        <p>
          <Inlines nodes={block.children} known={known} />
        </p>
      );
    case "heading":
      // Not a heading of the page: it is part of someone's message.
      return (
        <p class={`heading level-${block.level}`}>
          <Inlines nodes={block.children} known={known} />
        </p>
      );
    case "rule":
      return <hr />;
    case "table":
      return <Table table={block} known={known} />;
    case "code":
      return <CodeBlock language={block.language} text={block.text} />;
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.children} known={known} />
        </blockquote>
      );
    case "list": {
      const items = block.items.map((item, i) => (
        <li key={i} value={block.start === null ? undefined : block.start + i}>
          <Blocks blocks={item} known={known} />
        </li>
      ));
      return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
  }
}
