import { useEffect, useRef } from "preact/hooks";

const SIDE = 32;

/** The blurred placeholder of an image until it is loaded (BlurHash). */
export function Blur({ hash }: { hash: string }) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    import("blurhash").then(
      ({ decode }) => {
        const pixels = new Uint8ClampedArray(decode(hash, SIDE, SIDE));
        const drawn = ref.current?.getContext("2d");
        drawn?.putImageData(new ImageData(pixels, SIDE, SIDE), 0, 0);
      },
      // Without the code, the place of the image stays empty until it is loaded.
      () => {},
    );
  }, [hash]);
  return <canvas ref={ref} class="blur" width={SIDE} height={SIDE} />;
}
