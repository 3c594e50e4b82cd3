/** Whether a position in a text is inside of a code block or of inline code. */
export function isInCode(text: string, at: number): boolean {
  const before = text.slice(0, at);
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.split("`").length % 2 === 0 || before.split("```").length % 2 === 0;
}
