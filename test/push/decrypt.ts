/** What a browser does with a push (RFC 8291, RFC 8188), on WebCrypto alone. */

export type BrowserKeys = {
  privateKey: CryptoKey;
  /** Uncompressed, 65 bytes. */
  publicKey: Uint8Array<ArrayBuffer>;
  auth: Uint8Array<ArrayBuffer>;
};

const P256 = { name: "ECDH", namedCurve: "P-256" } as const;
const text = (value: string) => new TextEncoder().encode(value);

export async function makeBrowserKeys(): Promise<BrowserKeys> {
  const pair = await crypto.subtle.generateKey(P256, false, ["deriveBits"]);
  const publicKey = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  return {
    privateKey: pair.privateKey,
    publicKey,
    auth: crypto.getRandomValues(new Uint8Array(16)),
  };
}

/** @throws if a single bit of it is not as the sender made it */
export async function decrypt(keys: BrowserKeys, body: Uint8Array<ArrayBuffer>): Promise<string> {
  const salt = body.slice(0, 16);
  const idLength = body[20] ?? 0;
  const senderKey = body.slice(21, 21 + idLength);
  const record = body.slice(21 + idLength);

  const sender = await crypto.subtle.importKey("raw", senderKey, P256, false, []);
  const shared = new Uint8Array(
    await crypto.subtle.deriveBits({ name: "ECDH", public: sender }, keys.privateKey, 256),
  );
  const info = concat(text("WebPush: info\0"), keys.publicKey, senderKey);
  const secret = await hkdf(keys.auth, shared, info, 32);
  const key = await hkdf(salt, secret, text("Content-Encoding: aes128gcm\0"), 16);
  const iv = await hkdf(salt, secret, text("Content-Encoding: nonce\0"), 12);

  const aes = await crypto.subtle.importKey("raw", key, "AES-GCM", false, ["decrypt"]);
  const padded = new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, aes, record));
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error("The one record is not marked as the last.");
  return new TextDecoder("utf-8", { fatal: true }).decode(padded.slice(0, end));
}

async function hkdf(
  salt: Uint8Array<ArrayBuffer>,
  secret: Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
  bytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const base = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const how = { name: "HKDF", hash: "SHA-256", salt, info };
  return new Uint8Array(await crypto.subtle.deriveBits(how, base, bytes * 8));
}

function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}
