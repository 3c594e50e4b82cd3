import { useEffect, useRef, useState } from "preact/hooks";
import type { Me } from "../../../../src/wire/models.ts";
import { store, toast } from "../../app.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ErrorText } from "../../parts/field.tsx";
import { Avatar } from "../../parts/person.tsx";
import { useAction } from "../../parts/use-action.ts";
import { say } from "../../words/say.ts";

/** Pixels of the square that is sent, and of the one that is seen. */
const SIDE = 512;
const SHOWN = 240;
const MOST_ZOOM = 4;

/** One's picture: chosen, moved and zoomed in a square before it is saved, or removed. */
export function AvatarEditor({ me }: { me: Me }) {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const action = useAction();
  const remove = () =>
    void action.run(async () => {
      await store.api.delete("/api/auth/me/avatar");
      store.keepMe({ ...me, avatar_url: null });
      toast(say("picture.removed"));
    });
  return (
    <div class="avatar-editor">
      <Avatar user={me} size={64} />
      <div class="actions">
        <Button onClick={() => input.current?.click()}>
          {me.avatar_url ? say("picture.change") : say("picture.choose")}
        </Button>
        {me.avatar_url && (
          <Button kind="danger" busy={action.busy} onClick={remove}>
            {say("picture.remove")}
          </Button>
        )}
      </div>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
        aria-label={say("picture.file")}
        hidden
        onChange={({ currentTarget }) => {
          setFile(currentTarget.files?.[0] ?? null);
          currentTarget.value = "";
        }}
      />
      {file && <Crop file={file} onClose={() => setFile(null)} />}
    </div>
  );
}

/** Where the square lies on the picture: its middle, as shares of the picture, and how near. */
type View = { x: number; y: number; zoom: number };

function Crop({ file, onClose }: { file: File; onClose(): void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [image, setImage] = useState<ImageBitmap | null>(null);
  const [problem, setProblem] = useState(false);
  const [view, setView] = useState<View>({ x: 0.5, y: 0.5, zoom: 1 });
  const action = useAction();
  useEffect(() => {
    createImageBitmap(file).then(setImage, () => setProblem(true));
  }, [file]);
  useEffect(() => {
    if (image && canvas.current) draw(canvas.current, image, view);
  }, [image, view]);
  const move = (dx: number, dy: number) => {
    if (image)
      setView(
        moved(
          view,
          dx / scaleOf(image, view) / image.width,
          dy / scaleOf(image, view) / image.height,
        ),
      );
  };
  const save = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const { promise, resolve } = Promise.withResolvers<Blob | null>();
      canvas.current?.toBlob(resolve, "image/png");
      const blob = await promise;
      if (!blob) return;
      store.keepMe(await store.api.putFile<Me>("/api/auth/me/avatar", blob));
      toast(say("picture.saved"));
      onClose();
    });
  };
  return (
    <Dialog title={say("picture.title")} onClose={onClose}>
      <form class="form crop" onSubmit={save}>
        {problem ? (
          <ErrorText>{say("picture.unreadable")}</ErrorText>
        ) : (
          <>
            <canvas
              ref={canvas}
              width={SIDE}
              height={SIDE}
              tabIndex={0}
              aria-label={say("picture.move")}
              onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
              onPointerMove={(event) => {
                if (event.buttons > 0) move(-event.movementX, -event.movementY);
              }}
              onKeyDown={(event) => {
                const step = ARROWS[event.key];
                if (!step) return;
                event.preventDefault();
                move(...step);
              }}
            />
            <label class="zoom">
              {say("picture.zoom")}
              <input
                type="range"
                class="zoom-range"
                min={1}
                max={MOST_ZOOM}
                step={0.01}
                value={view.zoom}
                onInput={(event) =>
                  setView(moved({ ...view, zoom: Number(event.currentTarget.value) }, 0, 0))
                }
              />
            </label>
          </>
        )}
        {action.error && <ErrorText>{action.error}</ErrorText>}
        <div class="actions">
          <Button kind="primary" type="submit" busy={action.busy} disabled={!image}>
            {say("picture.save")}
          </Button>
          <Button onClick={onClose}>{say("cancel")}</Button>
        </div>
      </form>
    </Dialog>
  );
}

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-8, 0],
  ArrowRight: [8, 0],
  ArrowUp: [0, -8],
  ArrowDown: [0, 8],
};

/** Pixels that are seen for one of the picture's. */
function scaleOf({ width, height }: ImageBitmap, { zoom }: View): number {
  return (SHOWN / Math.min(width, height)) * zoom;
}

function moved({ x, y, zoom }: View, dx: number, dy: number): View {
  return { x: clamp(x + dx), y: clamp(y + dy), zoom };
}

const clamp = (share: number) => Math.max(0, Math.min(1, share));

/** Draws the square; its middle is pushed back where it would reach over an edge. */
function draw(canvas: HTMLCanvasElement, image: ImageBitmap, { x, y, zoom }: View): void {
  const context = canvas.getContext("2d");
  if (!context) return;
  const side = Math.min(image.width, image.height) / zoom;
  const from = (share: number, length: number) =>
    Math.max(0, Math.min(length - side, share * length - side / 2));
  context.clearRect(0, 0, SIDE, SIDE);
  context.imageSmoothingQuality = "high";
  const [left, top] = [from(x, image.width), from(y, image.height)];
  context.drawImage(image, left, top, side, side, 0, 0, SIDE, SIDE);
}
