/** Pixels of the square that is sent, and of the one that is seen. */
export const SIDE = 512;
const SHOWN = 240;

/** Where the square lies on the picture: its middle, as shares of the picture, and how near. */
export type View = { x: number; y: number; zoom: number };

/** Pixels that are seen for one of the picture's. */
export function scaleOf({ width, height }: ImageBitmap, { zoom }: View): number {
  return (SHOWN / Math.min(width, height)) * zoom;
}

/** The middle moved by shares of the picture, and never out of it. */
export function moved({ x, y, zoom }: View, dx: number, dy: number): View {
  return { x: clamp(x + dx), y: clamp(y + dy), zoom };
}

const clamp = (share: number) => Math.max(0, Math.min(1, share));

/** Draws the square; its middle is pushed back where it would reach over an edge. */
export function draw(canvas: HTMLCanvasElement, image: ImageBitmap, { x, y, zoom }: View): void {
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
