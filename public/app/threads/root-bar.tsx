import { ChevronDown, ChevronRight } from "lucide";
import { useState } from "preact/hooks";
import { makeExcerpt } from "../../../src/wire/markdown/plain.ts";
import type { Message } from "../../../src/wire/models.ts";
import { Attachments } from "../messages/attachments/attachments.tsx";
import { altOf, senderOf } from "../messages/message-author.tsx";
import { MessageBody } from "../messages/message-body.tsx";
import { Icon } from "../parts/icon.tsx";
import { t } from "../words/translate.ts";

const EXCERPT = 120;

/** The first message of a thread that is scrolled out of sight: one line, or all of it after a click. */
export function RootBar({ root }: { root: Message }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div class="root-bar border-bottom absolute surface scroll">
      <button
        type="button"
        class="row full small sticky surface"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon of={isOpen ? ChevronDown : ChevronRight} />
        <b class="truncate strong" dir="auto">
          {senderOf(root)}
        </b>
        {!isOpen && (
          <span class="grow truncate muted" dir="auto">
            {describe(root)}
          </span>
        )}
      </button>
      {isOpen && (
        <>
          <MessageBody message={root} />
          <Attachments image={root.image} file={root.file} alt={altOf(root)} />
        </>
      )}
    </div>
  );
}

function describe({ content, image, deleted_at }: Message): string {
  if (deleted_at) return t("message.was-deleted");
  return makeExcerpt(content, EXCERPT) ?? t(image ? "quote.image" : "quote.file");
}
