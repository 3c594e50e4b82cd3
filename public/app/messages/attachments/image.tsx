import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { Image } from "../../../../src/wire/models.ts";
import { quietRest } from "../../parts/load-rest.tsx";
import { t } from "../../words/translate.ts";
import { BrokenIcon } from "./file.tsx";

/** The id of the image in the lightbox; null while it is closed. */
export const lightbox = signal<string | null>(null);

const Blur = quietRest("Blur");
const MAX_WIDTH = 400;
const MAX_HEIGHT = 320;
/** The minimum length of each side in pixels, so that an image can be seen and clicked. */
const MIN_SIDE = 48;
/** The longest side of thumbnails; smaller images have none. */
const THUMB_SIDE = 640;

type ImageProps = {
  image: Image;
  alt: string;
  /** Set in a gallery: the image fills its tile and may be cropped. */
  isTile?: boolean;
};

/** An image in a message. Its space is reserved before it loads, and stays if it fails to load. */
export function MessageImage({ image, alt, isTile }: ImageProps) {
  const [state, setState] = useState<"ahead" | "shown" | "broken">("ahead");
  const [attempt, setAttempt] = useState(0);
  const { width, height } = fit(image);
  const style = isTile ? undefined : { width: `${width}px`, aspectRatio: `${width} / ${height}` };
  if (state === "broken") {
    const retry = () => {
      setAttempt(attempt + 1);
      setState("ahead");
    };
    return (
      <button
        type="button"
        class="image relative broken grid center gap-4 muted small"
        style={style}
        aria-label={`${t("image.failed")} ${t("try-again")}`}
        onClick={retry}
      >
        <BrokenIcon />
        <span>{t("image.failed")}</span>
        <span class="button quiet">{t("try-again")}</span>
      </button>
    );
  }
  // The thumbnail of a GIF is not animated. It is shown to people who prefer reduced motion.
  const isSmall =
    image.mime === "image/gif"
      ? !matchMedia("(prefers-reduced-motion: reduce)").matches
      : Math.max(image.width, image.height) <= THUMB_SIDE;
  return (
    <button
      type="button"
      class={`image relative ${state}`}
      style={style}
      aria-label={t("image.open", { name: alt })}
      onClick={() => {
        lightbox.value = image.id;
      }}
    >
      {state === "ahead" && image.blurhash && <Blur hash={image.blurhash} />}
      <img
        key={attempt}
        src={isSmall ? image.url : `${image.url}?size=thumb`}
        width={width}
        height={height}
        alt={alt}
        loading="lazy"
        decoding="async"
        onLoad={() => setState("shown")}
        onError={() => setState("broken")}
      />
    </button>
  );
}

/** The size to show: scaled down to the limits. Very tall or wide images are cropped. */
function fit({ width, height }: Image): { width: number; height: number } {
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  const clamp = (side: number) => Math.max(MIN_SIDE, Math.round(side * scale));
  return { width: clamp(width), height: clamp(height) };
}
