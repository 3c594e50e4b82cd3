import { useEffect } from "preact/hooks";
import { emojiData, loadEmoji } from "./load-emoji.ts";

/** Renders `:name:` as the emoji of that name, or as text if no emoji has that name. */
export function Shortcode({ name, text }: { name: string; text: string }) {
  useEffect(() => void loadEmoji(), []);
  const emoji = emojiData.value?.emojiByName(name);
  if (!emoji) return <>{text}</>;
  return (
    <span role="img" aria-label={emoji.label} title={text}>
      {emoji.emoji}
    </span>
  );
}
