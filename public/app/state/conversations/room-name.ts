/** Turns typed text into a valid name: lower case, dashes for spaces. */
export function toRoomName(text: string): string {
  return text
    .toLowerCase()
    .replace(/\s+/g, "-")
    .replace(/[^a-z0-9_-]/g, "")
    .slice(0, 40);
}
