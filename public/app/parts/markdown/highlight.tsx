import type { ComponentChildren } from "preact";
import { lowlight, registerLanguage } from "./languages.ts";

type Node = ReturnType<typeof lowlight.highlight>["children"][number];

/** Highlights code as elements; returns the text for an unknown language. */
export function highlightCode(language: string, text: string): ComponentChildren {
  if (!registerLanguage(language)) return text;
  return draw(lowlight.highlight(language, text).children);
}

function draw(nodes: Node[]): ComponentChildren {
  return nodes.map((node, i) => {
    if (node.type === "text") return node.value;
    if (node.type !== "element") return null;
    const { className } = node.properties;
    return (
      <span key={i} class={Array.isArray(className) ? className.join(" ") : undefined}>
        {draw(node.children as Node[])}
      </span>
    );
  });
}
