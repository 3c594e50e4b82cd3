import { ChevronLeft, ChevronRight, Download, MessageSquareText, X, ZoomIn, ZoomOut } from "lucide";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { makeExcerpt } from "../../../../src/wire/markdown/plain.ts";
import type { Message } from "../../../../src/wire/models.ts";
import { IconButton } from "../../parts/button.tsx";
import { useMedia } from "../../parts/use-media.ts";
import { Picture } from "../../parts/picture.tsx";
import { useModal } from "../../parts/dialog.tsx";
import { DialogBoundary } from "../../session/boundary.tsx";
import { Icon } from "../../parts/icon.tsx";
import { navigateTo } from "../../session/navigation.ts";
import { store } from "../../session/store.ts";
import { conversationById } from "../../state/model/model.ts";
import { messagePath } from "../../state/route.ts";
import { formatWhen, fullTimeOf } from "../../parts/times.ts";
import { altOf, senderOf } from "../message-author.tsx";
import { BrokenIcon } from "./file.tsx";
import { lightbox } from "./image.tsx";
import { t } from "../../words/translate.ts";

const STEPS = [1, 1.5, 2, 3, 4];
const close = () => {
  lightbox.value = null;
};

/** Shows the room's images in full size: arrows go to the next, plus and minus zoom, Esc closes. */
export function Lightbox({ messages }: { messages: Message[] }) {
  const withImages = messages.filter((message) => message.image);
  const at = withImages.findIndex((message) => message.image?.id === lightbox.value);
  const message = withImages[at];
  if (!message) return null;
  return (
    <DialogBoundary of={message.id} onClose={close}>
      <Shown message={message} all={withImages} at={at} />
    </DialogBoundary>
  );
}

/** Thumbnails of all pictures; the current one is scrolled into view. */
function Thumbnails({ all, at }: { all: Message[]; at: number }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [at]);
  return (
    <ul class="row" ref={list} aria-label={t("image.all")}>
      {all.map((message, i) => (
        <li key={message.id}>
          <button
            type="button"
            aria-label={altOf(message)}
            aria-current={i === at}
            onClick={() => {
              lightbox.value = message.image?.id ?? null;
            }}
          >
            <span class="thumbnail grid middle muted rounded">
              <Picture src={`${message.image?.url}?size=thumb`}>
                <BrokenIcon />
              </Picture>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

const MAX_CAPTION = 200;

type ShownProps = { message: Message; all: Message[]; at: number };

function Shown({ message, all, at }: ShownProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const [step, setStep] = useState(0);
  const { image } = message;
  // On a touch screen, two fingers zoom.
  const isTouched = useMedia("(pointer: coarse)");
  useModal(ref, close);
  useLayoutEffect(() => setStep(0), [message.id]);
  if (!image) return null;
  const go = (by: number) => {
    const next = all[at + by]?.image;
    if (next) lightbox.value = next.id;
  };
  const caption = makeExcerpt(message.content, MAX_CAPTION) || image.alt;
  const toMessage = () => {
    const room = conversationById(store.state.value, message.room_id);
    close();
    if (room) navigateTo(messagePath(room, message));
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
      <header class="row gap-4">
        <div class="grow">
          <b class="clamp" dir="auto">
            {senderOf(message)}
          </b>
          <time
            class="muted small"
            dateTime={message.created_at}
            title={fullTimeOf(message.created_at)}
          >
            {formatWhen(message.created_at)}
          </time>
        </div>
        {!isTouched && (
          <>
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
          </>
        )}
        <a
          class="icon-button"
          href={image.url}
          download={altOf(message)}
          title={t("image.download")}
          aria-label={t("image.download")}
        >
          <Icon of={Download} />
        </a>
        <IconButton icon={MessageSquareText} label={t("image.to-message")} onClick={toMessage} />
        <IconButton icon={X} label={t("close")} onClick={close} />
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the image closes, as Esc does */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
      <div
        class="stage grid middle"
        onClick={(event) => event.target === event.currentTarget && close()}
      >
        <Picture
          src={image.url}
          loading="eager"
          alt={altOf(message)}
          style={
            step === 0
              ? {}
              : { maxWidth: "none", maxHeight: "none", width: `${(STEPS[step] ?? 1) * 90}vw` }
          }
          data-zoomed={step > 0}
          onClick={() => setStep(step === 0 ? 2 : 0)}
        >
          <p class="muted stack middle">
            <BrokenIcon />
            {t("image.not-loaded")}
          </p>
        </Picture>
      </div>
      {(caption || all.length > 1) && (
        <footer>
          {caption && (
            <p class="center clamp" dir="auto">
              {caption}
              {image.alt && image.alt !== caption && (
                <span class="muted small">
                  {" "}
                  · <bdi>{image.alt}</bdi>
                </span>
              )}
            </p>
          )}
          {all.length > 1 && <Thumbnails all={all} at={at} />}
        </footer>
      )}
      {at > 0 && (
        <IconButton
          icon={ChevronLeft}
          label={t("image.previous")}
          class="previous absolute"
          onClick={() => go(-1)}
        />
      )}
      {at < all.length - 1 && (
        <IconButton
          icon={ChevronRight}
          label={t("image.next")}
          class="next absolute"
          onClick={() => go(1)}
        />
      )}
    </dialog>
  );
}
