import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { parseMarkdown } from "../../../../src/wire/markdown/parse.ts";
import type { Align, Block } from "../../../../src/wire/markdown/tree.ts";
import { Inlines, type NameResolver } from "./inlines.tsx";
import { Check, Copy } from "lucide";
import { IconButton } from "../button.tsx";
import { writeClipboard } from "../clipboard.ts";
import { loadChunk } from "../load-chunk.tsx";
import { firstScreenShown } from "../first-screen.ts";
import { t } from "../../words/translate.ts";

type MarkdownProps = {
  text: string;
  resolver: NameResolver;
  /** Appended after the last word. */
  end?: ComponentChildren;
};

/** Renders the tree of a parsed text as elements. Names that are unknown are rendered as written. */
export function Markdown({ text, resolver, end }: MarkdownProps) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  const last = blocks.at(-1);
  if (!end || last?.type !== "paragraph") {
    return (
      <>
        <Blocks blocks={blocks} resolver={resolver} />
        {end}
      </>
    );
  }
  return (
    <>
      <Blocks blocks={blocks.slice(0, -1)} resolver={resolver} />
      <p>
        <Inlines nodes={last.children} resolver={resolver} /> {end}
      </p>
    </>
  );
}

function Blocks({ blocks, resolver }: { blocks: Block[]; resolver: NameResolver }) {
  return blocks.map((block, i) => <BlockOf key={i} block={block} resolver={resolver} />);
}

function BlockOf({ block, resolver }: { block: Block; resolver: NameResolver }) {
  switch (block.type) {
    case "paragraph":
      return (
        <p>
          <Inlines nodes={block.children} resolver={resolver} />
        </p>
      );
    case "heading":
      // Not a heading of the page, because it is part of a message.
      return (
        <p class={`heading level-${block.level}`}>
          <Inlines nodes={block.children} resolver={resolver} />
        </p>
      );
    case "rule":
      return <hr />;
    case "table":
      return <Table table={block} resolver={resolver} />;
    case "code":
      return <CodeBlock language={block.language} text={block.text} />;
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.children} resolver={resolver} />
        </blockquote>
      );
    case "list": {
      const items = block.items.map((item, i) => (
        <li key={i} value={block.start === null ? undefined : block.start + i}>
          <Blocks blocks={item} resolver={resolver} />
        </li>
      ));
      return block.start === null ? <ul>{items}</ul> : <ol start={block.start}>{items}</ol>;
    }
  }
}

type TableBlock = Extract<Block, { type: "table" }>;

/** A table, which scrolls sideways in its own frame. */
function Table({ table, resolver }: { table: TableBlock; resolver: NameResolver }) {
  const { align, head, rows } = table;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <div class="table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, i) => (
              <th key={i} scope="col" class={classOf(align[i])}>
                <Inlines nodes={cell} resolver={resolver} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, column) => (
                <td key={column} class={classOf(align[column])}>
                  <Inlines nodes={cell} resolver={resolver} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf(align: Align | undefined): string | undefined {
  return align === "center" || align === "right" ? align : undefined;
}

const COPIED_MS = 1_500;
/** Longer code is not highlighted, because that takes too long. */
const MAX_HIGHLIGHTED_LENGTH = 8_000;

/** Fenced code. The highlighter is loaded when it is first needed. */
function CodeBlock({ language, text }: { language: string | null; text: string }) {
  const [coloured, setColoured] = useState<ComponentChildren>(null);
  const [copied, setCopied] = useState(false);
  const code = useRef<HTMLElement>(null);
  useEffect(() => {
    let isCurrent = true;
    setColoured(null);
    const colour = async (name: string) => {
      await firstScreenShown;
      const { highlightCode } = await loadChunk("parts/markdown/highlight.tsx");
      // One task for each block, because a single long task would delay typing.
      await new Promise((resolve) => setTimeout(resolve));
      if (isCurrent) setColoured(highlightCode(name, text));
    };
    // Without colours the code is still readable.
    if (language && text.length <= MAX_HIGHLIGHTED_LENGTH) colour(language).catch(() => {});
    return () => {
      isCurrent = false;
    };
  }, [language, text]);
  const copy = async () => {
    const select = () => code.current && getSelection()?.selectAllChildren(code.current);
    if (!(await writeClipboard(text, select))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <div class="code-block framed relative">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} dir="ltr">
        <code ref={code}>{coloured ?? text}</code>
      </pre>
      <IconButton
        icon={copied ? Check : Copy}
        label={copied ? t("copied") : t("message.copy-code")}
        onClick={() => void copy()}
      />
    </div>
  );
}
