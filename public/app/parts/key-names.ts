/** The name of a pressed key as `aria-keyshortcuts` has it: "S", "Shift+S" or "Delete". */
export function nameOfKey({ key, shiftKey }: KeyboardEvent): string {
  if (key.length > 1) return key;
  const name = key.toUpperCase();
  // Whether other characters need Shift depends on the layout.
  return shiftKey && name !== key.toLowerCase() ? `Shift+${name}` : name;
}
