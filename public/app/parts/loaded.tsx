import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { LoadError } from "./error-text.tsx";
import { useAction } from "./use-action.ts";

type LoadedProps<T> = {
  load(): Promise<T>;
  /** In px, until the value is loaded. */
  height: number;
  /** @param show replaces what was loaded */
  children(value: T, show: (value: T) => void): ComponentChildren;
};

/**
 * Loads a value with one request: shows a skeleton until then, or the error with a button to retry.
 */
export function Loaded<T>({ load, height, children }: LoadedProps<T>) {
  const [value, setValue] = useState<T | null>(null);
  const action = useAction();
  const start = () => void action.run(async () => setValue(await load()));
  useEffect(start, []);
  if (value !== null) return <>{children(value, setValue)}</>;
  if (action.error) return <LoadError text={action.error} onRetry={start} />;
  return <SkeletonForm height={height} />;
}

const FIELD_HEIGHT = 72;

/** The placeholder of labels and fields. @param height in px */
export function SkeletonForm({ height }: { height: number }) {
  const count = Math.max(1, Math.round(height / FIELD_HEIGHT));
  return (
    <div class="stack gap-16" style={{ minHeight: `${height}px` }} aria-busy="true">
      {Array.from({ length: count }, (_, i) => (
        <span key={i}>
          <span class="skeleton line" />
          <span class="skeleton box" />
        </span>
      ))}
    </div>
  );
}
