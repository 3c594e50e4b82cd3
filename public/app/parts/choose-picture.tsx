import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { createForm } from "../connection/api.ts";
import { t } from "../words/translate.ts";
import { Dialog } from "./dialog.tsx";
import { ErrorText } from "./error-text.tsx";
import { Form } from "./form.tsx";
import { useAction } from "./use-action.ts";

type ChoosePictureProps = {
  /** The file input, which the caller's buttons click. */
  input: RefObject<HTMLInputElement | null>;
  label: string;
  /** The title of the dialog in which the picture is cropped. */
  title: string;
  /** The picture is shown as a square; without it as a circle. */
  isSquare?: boolean;
  /** Saves the cropped picture; the dialog shows its error. */
  onSave(body: FormData): Promise<unknown>;
};

/** Lets someone choose a picture from their device, and crop it. */
export function ChoosePicture({ input, label, title, isSquare, onSave }: ChoosePictureProps) {
  const [file, setFile] = useState<File | null>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
        aria-label={label}
        hidden
        onChange={({ currentTarget }) => {
          setFile(currentTarget.files?.[0] ?? null);
          currentTarget.value = "";
        }}
      />
      {file && (
        <CropDialog
          file={file}
          title={title}
          isSquare={isSquare}
          onSave={onSave}
          onClose={() => setFile(null)}
        />
      )}
    </>
  );
}

const MAX_ZOOM = 4;

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-8, 0],
  ArrowRight: [8, 0],
  ArrowUp: [0, -8],
  ArrowDown: [0, 8],
};

type CropProps = {
  file: File;
  title: string;
  /**
   * Set if the result is shown as a square: it may then hold the whole picture, with empty edges.
   */
  isSquare?: boolean;
  /** @param body the multipart form of the upload */
  onSave(body: FormData): Promise<unknown>;
  onClose(): void;
};

/** Crops a picture to a square that people move by pointer or arrow keys, and zoom. */
function CropDialog({ file, title, isSquare, onSave, onClose }: CropProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  /** Where the pointer was last. */
  const from = useRef({ x: 0, y: 0 });
  const isDragged = useRef(false);
  const [image, setImage] = useState<ImageBitmap | null>(null);
  const [isUnreadable, setUnreadable] = useState(false);
  const [view, setView] = useState<View>({ x: 0.5, y: 0.5, zoom: 1 });
  const action = useAction();
  useEffect(() => {
    createImageBitmap(file).then(setImage, () => setUnreadable(true));
  }, [file]);
  useEffect(() => {
    if (image && canvas.current) drawCrop(canvas.current, image, view);
  }, [image, view]);
  const move = (dx: number, dy: number) => {
    if (image)
      setView(
        moveView(
          view,
          dx / scaleOf(image, view) / image.width,
          dy / scaleOf(image, view) / image.height,
        ),
      );
  };
  const save = async () => {
    const { promise, resolve } = Promise.withResolvers<Blob | null>();
    canvas.current?.toBlob(resolve, "image/png");
    const blob = await promise;
    if (!blob) return;
    await onSave(createForm(blob));
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        class={isSquare ? "crop square" : "crop"}
        action={action}
        submit={t("picture.save")}
        disabled={!image}
        onCancel={onClose}
        onSubmit={save}
      >
        {isUnreadable ? (
          <ErrorText>{t("picture.unreadable")}</ErrorText>
        ) : (
          <>
            <canvas
              ref={canvas}
              width={SIDE}
              height={SIDE}
              tabIndex={0}
              aria-label={t("picture.move")}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                from.current = { x: event.clientX, y: event.clientY };
                isDragged.current = false;
              }}
              // For those who cannot drag (WCAG 2.5.7): a click centres that point.
              onClick={({ offsetX, offsetY }) => {
                if (!isDragged.current) move(offsetX - SHOWN_SIDE / 2, offsetY - SHOWN_SIDE / 2);
              }}
              onPointerMove={({ buttons, clientX: x, clientY: y }) => {
                // Chrome for Android has no movementX before 144.
                const [dx, dy] = [from.current.x - x, from.current.y - y];
                if (buttons > 0 && (dx !== 0 || dy !== 0)) {
                  isDragged.current = true;
                  move(dx, dy);
                }
                from.current = { x, y };
              }}
              onKeyDown={(event) => {
                const step = ARROWS[event.key];
                if (!step) return;
                event.preventDefault();
                move(...step);
              }}
            />
            <label class="gap-12 row small">
              {t("picture.zoom")}
              <input
                type="range"
                class="zoom-range control grow"
                min={isSquare && image ? wholeZoom(image) : 1}
                max={MAX_ZOOM}
                disabled={!image}
                step={0.01}
                value={view.zoom}
                onInput={(event) =>
                  setView(moveView({ ...view, zoom: Number(event.currentTarget.value) }, 0, 0))
                }
              />
            </label>
          </>
        )}
      </Form>
    </Dialog>
  );
}

/** The side of the uploaded square, in pixels. */
const SIDE = 512;
/** The side of the square on the screen (`.crop canvas`), in pixels. */
const SHOWN_SIDE = 240;

/** The square's centre, as fractions of the picture's width and height, and the zoom. */
type View = { x: number; y: number; zoom: number };

/** Screen pixels per pixel of the picture. */
function scaleOf({ width, height }: ImageBitmap, { zoom }: View): number {
  return (SHOWN_SIDE / Math.min(width, height)) * zoom;
}

/** The zoom at which the square holds the whole picture. */
function wholeZoom({ width, height }: ImageBitmap): number {
  return Math.min(width, height) / Math.max(width, height);
}

/** Moves the centre by fractions of the picture, without leaving it. */
function moveView({ x, y, zoom }: View, dx: number, dy: number): View {
  return { x: clamp(x + dx), y: clamp(y + dy), zoom };
}

const clamp = (fraction: number) => Math.max(0, Math.min(1, fraction));

/** Draws the square, moved back inside the picture where it would cross an edge. */
function drawCrop(canvas: HTMLCanvasElement, image: ImageBitmap, { x, y, zoom }: View): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const side = Math.min(image.width, image.height) / zoom;
  const from = (fraction: number, length: number) =>
    side > length
      ? (length - side) / 2
      : Math.max(0, Math.min(length - side, fraction * length - side / 2));
  context.clearRect(0, 0, SIDE, SIDE);
  context.imageSmoothingQuality = "high";
  const [left, top] = [from(x, image.width), from(y, image.height)];
  context.drawImage(image, left, top, side, side, 0, 0, SIDE, SIDE);
}
