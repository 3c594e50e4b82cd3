import { Check, Copy } from "lucide";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { IconButton } from "../button.tsx";
import { writeClipboard } from "../clipboard.ts";
import { firstScreen } from "../first-screen.ts";
import { t } from "../../words/translate.ts";

const COPIED_MS = 1_500;
/** Longer code is not highlighted, because that takes too long. */
const MAX_HIGHLIGHTED_LENGTH = 8_000;

/** Fenced code. The highlighter is loaded when there is code to highlight. */
export function CodeBlock({ language, text }: { language: string | null; text: string }) {
  const [coloured, setColoured] = useState<ComponentChildren>(null);
  const [copied, setCopied] = useState(false);
  const code = useRef<HTMLElement>(null);
  useEffect(() => {
    let isCurrent = true;
    setColoured(null);
    const colour = async (name: string) => {
      await firstScreen;
      const { highlightCode } = await import("./highlight.tsx");
      // A task for each block: together they would hold up what is being typed.
      await new Promise((resolve) => setTimeout(resolve));
      if (isCurrent) setColoured(highlightCode(name, text));
    };
    // The code is readable without colours.
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
    <div class="code-block">
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
