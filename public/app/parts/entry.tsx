import type { ComponentChildren } from "preact";
import { agoOf, fullTimeOf } from "./times.ts";

type EntryProps = {
  /** Where it leads, if it leads anywhere. */
  href: string | null;
  /** A face or an icon. */
  mark: ComponentChildren;
  title: string;
  /** Beside the title. */
  place?: string;
  at: string;
  /** The time in words; how long ago it was by default. */
  when?: string;
  /** Beside the time. */
  hint?: string | null;
  text: string;
  /** Further lines. */
  children?: ComponentChildren;
};

/** A message or a draft in a list: who or where, when, and how it begins. */
export function Entry(props: EntryProps) {
  const { href, mark, title, place, at, when = agoOf(at), hint, text, children } = props;
  const inner = (
    <>
      {mark}
      <span class="grow">
        <span class="entry-head">
          <b class="truncate" dir="auto">
            {title}
          </b>
          {place && (
            <span class="muted small truncate" dir="auto">
              {place}
            </span>
          )}
          <time class="muted small" dateTime={at} title={fullTimeOf(at)}>
            {when}
          </time>
          {hint && <span class="muted small truncate">{hint}</span>}
        </span>
        <span class="entry-text" dir="auto">
          {text}
        </span>
        {children}
      </span>
    </>
  );
  if (href === null) return <div class="entry">{inner}</div>;
  return (
    <a class="entry" href={href}>
      {inner}
    </a>
  );
}
