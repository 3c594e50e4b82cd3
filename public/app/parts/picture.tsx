import type { ComponentChildren, CSSProperties, MouseEventHandler } from "preact";
import { useState } from "preact/hooks";

type PictureProps = {
  src: string;
  /** Empty for a picture without a meaning of its own, such as the thumbnail of a row. */
  alt?: string;
  class?: string;
  style?: CSSProperties;
  width?: number;
  height?: number;
  loading?: "eager" | "lazy";
  onClick?: MouseEventHandler<HTMLImageElement>;
  /** Replaces the picture if it does not load. */
  children: ComponentChildren;
};

export function Picture({ src, alt = "", children, ...rest }: PictureProps) {
  const [broken, setBroken] = useState<string | null>(null);
  if (broken === src) return <>{children}</>;
  return <img loading="lazy" {...rest} src={src} alt={alt} onError={() => setBroken(src)} />;
}
