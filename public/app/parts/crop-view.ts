/** Pixels of the uploaded square. */
export const SIDE = 512;
/** Pixels of the square on the screen (`.crop canvas`). */
const SHOWN_SIDE = 240;

/** The square on the picture: its centre, as fractions of the width and height, and the zoom. */
export type View = { x: number; y: number; zoom: number };

/** Screen pixels per pixel of the picture. */
export function scaleOf({ width, height }: ImageBitmap, { zoom }: View): number {
  return (SHOWN_SIDE / Math.min(width, height)) * zoom;
}

/** The zoom at which the square holds the whole picture. */
export function wholeZoom({ width, height }: ImageBitmap): number {
  return Math.min(width, height) / Math.max(width, height);
}

/** Moves the centre by fractions of the picture, without leaving it. */
export function moveView({ x, y, zoom }: View, dx: number, dy: number): View {
  return { x: clamp(x + dx), y: clamp(y + dy), zoom };
}

const clamp = (fraction: number) => Math.max(0, Math.min(1, fraction));

/** Draws the square, moved back inside the picture where it would cross an edge. */
export function drawCrop(
  canvas: HTMLCanvasElement,
  image: ImageBitmap,
  { x, y, zoom }: View,
): void {
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
