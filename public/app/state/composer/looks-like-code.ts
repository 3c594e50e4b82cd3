/** Whether a text looks like code or a log: most of its lines are indented or end like code. */
export function looksLikeCode(text: string): boolean {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < 2) return false;
  const count = lines.filter(
    (line) => /^(?:\t| {2,})\S/.test(line) || /[;{}]$|^\s*(?:\/\/|#include|<\/?\w+)/.test(line),
  ).length;
  return count >= lines.length / 2;
}
