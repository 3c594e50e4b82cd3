import { decode } from "blurhash";
import { useLayoutEffect, useRef } from "preact/hooks";

const SIDE = 32;

/** The blurred placeholder of an image until it is loaded (BlurHash). */
export function Blur({ hash }: { hash: string }) {
  const ref = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const pixels = new Uint8ClampedArray(decode(hash, SIDE, SIDE));
    ref.current?.getContext("2d")?.putImageData(new ImageData(pixels, SIDE, SIDE), 0, 0);
  }, [hash]);
  return <canvas ref={ref} class="blur" width={SIDE} height={SIDE} />;
}
