import { useEffect, useRef, useState } from "preact/hooks";
import { createForm } from "../connection/api.ts";
import { Dialog } from "./dialog.tsx";
import { ErrorText } from "./error-text.tsx";
import { Form } from "./form.tsx";
import { useAction } from "./use-action.ts";
import { drawCrop, moveView, SIDE, scaleOf, type View, wholeZoom } from "./crop-view.ts";
import { t } from "../words/translate.ts";

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
  /** Set for what is shown in a square: it may hold the whole picture, with empty edges. */
  isSquare?: boolean;
  /** @param body the form of an upload */
  onSave(body: FormData): Promise<unknown>;
  onClose(): void;
};

/** Crops a picture to a square: moved by pointer or arrow keys, zoomed, saved as shown. */
export function CropDialog({ file, title, isSquare, onSave, onClose }: CropProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  /** Where the pointer was last. */
  const from = useRef({ x: 0, y: 0 });
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
              }}
              onPointerMove={({ buttons, clientX: x, clientY: y }) => {
                // Chrome for Android knows no movementX before 144.
                if (buttons > 0) move(from.current.x - x, from.current.y - y);
                from.current = { x, y };
              }}
              onKeyDown={(event) => {
                const step = ARROWS[event.key];
                if (!step) return;
                event.preventDefault();
                move(...step);
              }}
            />
            <label class="zoom row small">
              {t("picture.zoom")}
              <input
                type="range"
                class="zoom-range"
                min={isSquare && image ? wholeZoom(image) : 1}
                max={MAX_ZOOM}
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
