import { ChevronLeft, ChevronRight, Download, X, ZoomIn, ZoomOut } from "lucide";
import { useRef, useState } from "preact/hooks";
import type { Message } from "../../../../src/wire/models.ts";
import { IconButton } from "../../parts/button.tsx";
import { useModal } from "../../parts/dialog.tsx";
import { DialogBoundary } from "../../session/dialog-boundary.tsx";
import { Icon } from "../../parts/icon.tsx";
import { nameOf } from "../../session/person.tsx";
import { fullTimeOf } from "../../parts/times.ts";
import { lightbox } from "./lightbox-state.ts";
import { t } from "../../words/translate.ts";

const STEPS = [1, 1.5, 2, 3, 4];
const close = () => {
  lightbox.value = null;
};
const altOf = (message: Message) =>
  message.image?.alt ?? t("image.from", { name: nameOf(message.author) });

/** Shows the room's images in full size: arrows go to the next, plus and minus zoom, Esc closes. */
export function Lightbox({ messages }: { messages: Message[] }) {
  const withImages = messages.filter((message) => message.image);
  const at = withImages.findIndex((message) => message.image?.id === lightbox.value);
  const message = withImages[at];
  if (!message) return null;
  return (
    <DialogBoundary of={message.id} onClose={close}>
      <Shown key={message.id} message={message} all={withImages} at={at} />
    </DialogBoundary>
  );
}

type ShownProps = { message: Message; all: Message[]; at: number };

function Shown({ message, all, at }: ShownProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const [step, setStep] = useState(0);
  const { image } = message;
  useModal(ref);
  if (!image) return null;
  const go = (by: number) => {
    const next = all[at + by]?.image;
    if (next) lightbox.value = next.id;
  };
  const zoom = (by: number) => setStep(Math.max(0, Math.min(STEPS.length - 1, step + by)));
  const keys: Record<string, () => void> = {
    ArrowLeft: () => go(-1),
    ArrowRight: () => go(1),
    "+": () => zoom(1),
    "=": () => zoom(1),
    "-": () => zoom(-1),
    "0": () => setStep(0),
  };
  return (
    <dialog
      ref={ref}
      class="lightbox"
      aria-label={altOf(message)}
      onClose={close}
      onKeyDown={(event) => {
        const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
        if (!act) return;
        event.preventDefault();
        act();
      }}
    >
      <header>
        <p class="grow truncate">
          <b dir="auto">{nameOf(message.author)}</b>{" "}
          <span class="muted">{fullTimeOf(message.created_at)}</span>
          {image.alt && <span dir="auto"> · {image.alt}</span>}
        </p>
        <IconButton
          icon={ZoomOut}
          label={t("image.smaller")}
          disabled={step === 0}
          onClick={() => zoom(-1)}
        />
        <IconButton
          icon={ZoomIn}
          label={t("image.larger")}
          disabled={step === STEPS.length - 1}
          onClick={() => zoom(1)}
        />
        <a
          class="icon-button"
          href={image.url}
          download
          title={t("image.download")}
          aria-label={t("image.download")}
        >
          <Icon of={Download} />
        </a>
        <IconButton icon={X} label={t("close")} onClick={close} />
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the image closes, as Esc does */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
      <div class="stage" onClick={(event) => event.target === event.currentTarget && close()}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: plus and minus zoom by keyboard */}
        <img
          src={image.url}
          alt={altOf(message)}
          style={
            step === 0
              ? {}
              : { maxWidth: "none", maxHeight: "none", width: `${(STEPS[step] ?? 1) * 90}vw` }
          }
          data-zoomed={step > 0}
          onClick={() => setStep(step === 0 ? 2 : 0)}
        />
      </div>
      {at > 0 && (
        <IconButton
          icon={ChevronLeft}
          label={t("image.previous")}
          class="previous"
          onClick={() => go(-1)}
        />
      )}
      {at < all.length - 1 && (
        <IconButton
          icon={ChevronRight}
          label={t("image.next")}
          class="next"
          onClick={() => go(1)}
        />
      )}
    </dialog>
  );
}
