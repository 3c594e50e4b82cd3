/**
 * Copies a text. Without permission or over plain http, a browser can copy only the selection.
 * @param select selects the text where it is shown
 * @returns whether it was copied
 */
export async function writeClipboard(text: string, select?: () => void): Promise<boolean> {
  try {
    // Over plain http there is no clipboard.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (!select) return false;
    select();
    return document.execCommand("copy");
  }
}
