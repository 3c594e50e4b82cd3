/** The key of a set of people, whatever their order and however often each is named. */
export function makeDirectKey(userIds: string[]): Buffer {
  const text = [...new Set(userIds.map((id) => id.toLowerCase()))].toSorted().join(" ");
  return Buffer.from(new Bun.CryptoHasher("sha256").update(text).digest());
}
