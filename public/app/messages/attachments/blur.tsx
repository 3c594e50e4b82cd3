import { useEffect, useRef } from "preact/hooks";

const SIDE = 32;

/** The blurred placeholder of an image until it is loaded (BlurHash). */
export function Blur({ hash }: { hash: string }) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    void import("blurhash").then(({ decode }) => {
      const pixels = new Uint8ClampedArray(decode(hash, SIDE, SIDE));
      const drawn = ref.current?.getContext("2d");
      drawn?.putImageData(new ImageData(pixels, SIDE, SIDE), 0, 0);
    });
  }, [hash]);
  return <canvas ref={ref} class="blur" width={SIDE} height={SIDE} />;
}
