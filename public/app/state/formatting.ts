/** A text with a selection in it. */
export type Selected = { text: string; start: number; end: number };

/** Signs that go around what is selected, by key: with Ctrl or Cmd. */
const SIGNS: Record<string, string> = { b: "**", i: "_", e: "`", "shift+x": "~~" };

/**
 * What a key does to the selection: it puts signs around it, or takes them away.
 * @param key in lower case, `shift+` before it where Shift is held
 * @returns null for a key that formats nothing
 */
export function format(key: string, selected: Selected): Selected | null {
  // Without Shift it goes elsewhere: to the switcher.
  if (key === "shift+k") return link(selected);
  const sign = SIGNS[key];
  if (!sign) return null;
  const { text, start, end } = selected;
  const inner = text.slice(start, end);
  const isAround =
    text.slice(start - sign.length, start) === sign && text.slice(end, end + sign.length) === sign;
  if (isAround) {
    return {
      text: text.slice(0, start - sign.length) + inner + text.slice(end + sign.length),
      start: start - sign.length,
      end: end - sign.length,
    };
  }
  return {
    text: text.slice(0, start) + sign + inner + sign + text.slice(end),
    start: start + sign.length,
    end: end + sign.length,
  };
}

/** `[what is selected](address)`, with the part that is missing selected. */
function link({ text, start, end }: Selected): Selected {
  const inner = text.slice(start, end);
  const isAddress = /^https?:\/\/\S+$/.test(inner);
  const [label, address] = isAddress ? ["text", inner] : [inner || "text", "https://"];
  const written = `[${label}](${address})`;
  const at = isAddress || !inner ? start + 1 : start + label.length + 3;
  const length = isAddress || !inner ? label.length : address.length;
  return { text: text.slice(0, start) + written + text.slice(end), start: at, end: at + length };
}
