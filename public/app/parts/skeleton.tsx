/** In percent, uneven like lines of text. */
const WIDTHS = [62, 38, 74, 51, 66, 30];

/** The placeholders of messages or other rows with pictures, in a list. */
export function SkeletonRows({ row = "skeleton-row gap-12 row" }: { row?: string }) {
  return WIDTHS.map((width) => (
    <li key={width} class={row}>
      <span class="skeleton face rigid" />
      <span class="grow">
        <span class="skeleton line" />
        <span class="skeleton line" style={{ width: `${width}%` }} />
      </span>
    </li>
  ));
}

export function SkeletonList() {
  return (
    <ul class="skeleton-list">
      <SkeletonRows />
    </ul>
  );
}
