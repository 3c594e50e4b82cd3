import { useState } from "preact/hooks";
import type { Image } from "../../../../src/wire/models.ts";
import { quietRest } from "../../parts/load-rest.tsx";
import { lightbox } from "./lightbox-state.ts";
import { BrokenIcon } from "./file.tsx";
import { t } from "../../words/translate.ts";

const Blur = quietRest("Blur");
const MAX_WIDTH = 400;
const MAX_HEIGHT = 320;
/** Both sides are at least as long, so that it can be seen and hit. */
const MIN_SIDE = 48;
/** The longest side of thumbnails; smaller images have none. */
const THUMB_SIDE = 640;

type ImageProps = {
  image: Image;
  alt: string;
  /** Set in a gallery: it fills its tile, and its edges may be cut off. */
  isTile?: boolean;
};

/** An image in a message. It has its size before it loads, and if it does not load. */
export function MessageImage({ image, alt, isTile }: ImageProps) {
  const [state, setState] = useState<"loading" | "shown" | "broken">("loading");
  const [attempt, setAttempt] = useState(0);
  const { width, height } = fit(image);
  const style = isTile ? undefined : { width: `${width}px`, aspectRatio: `${width} / ${height}` };
  if (state === "broken") {
    const retry = () => {
      setAttempt(attempt + 1);
      setState("loading");
    };
    return (
      <button type="button" class="image broken" style={style} onClick={retry}>
        <BrokenIcon />
        <span>{t("image.failed")}</span>
      </button>
    );
  }
  // The thumbnail of a GIF is not animated.
  const isSmall = Math.max(image.width, image.height) <= THUMB_SIDE || image.mime === "image/gif";
  return (
    <button
      type="button"
      class="image"
      style={style}
      aria-label={t("image.open", { name: alt })}
      onClick={() => {
        lightbox.value = image.id;
      }}
    >
      {state === "loading" && image.blurhash && <Blur hash={image.blurhash} />}
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

/** The size to show: scaled down to the limits. What is very tall or flat is cut off at its edges. */
function fit({ width, height }: Image): { width: number; height: number } {
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  const clamp = (side: number) => Math.max(MIN_SIDE, Math.round(side * scale));
  return { width: clamp(width), height: clamp(height) };
}
