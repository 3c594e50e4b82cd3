import { useEffect, useState } from "preact/hooks";

/** Modules of white around the code (ISO/IEC 18004 asks for four). */
const BORDER = 4;

type Modules = { size: number; data: boolean[][] };

/** A QR code of a text, black on white in every theme so that cameras read it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [code, setCode] = useState<Modules | null>(null);
  useEffect(() => {
    import("uqr").then(
      ({ encode }) => setCode(encode(text, { border: BORDER })),
      // Without the code, the key below can be typed.
      () => {},
    );
  }, [text]);
  if (!code) return <div class="qr-code" aria-hidden="true" />;
  const path = code.data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${code.size} ${code.size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
