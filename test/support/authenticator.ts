import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

type Options = { challenge: string; rpId?: string; rp?: { id?: string }; user?: { id: string } };
/** What it does wrong, or otherwise than others. */
type Quirks = {
  origin?: string;
  rpId?: string;
  /** Says that it did not verify its user. */
  isUnverified?: boolean;
  signCount?: number;
  userHandle?: string;
};

const UP = 0x01;
const UV = 0x04;
const AT = 0x40;

/** An authenticator in software (WebAuthn): one passkey with a key of P-256. */
export class Authenticator {
  readonly id = randomBytes(32);
  signCount = 0;
  #key: KeyObject;
  #publicKey: Buffer;
  #userHandle = "";

  constructor(readonly origin: string) {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    this.#key = privateKey;
    // COSE (RFC 9052, 7): kty EC2, alg ES256, crv P-256, x, y.
    this.#publicKey = Buffer.concat([
      Buffer.from("a5010203262001215820", "hex"),
      Buffer.from(x, "base64url"),
      Buffer.from("225820", "hex"),
      Buffer.from(y, "base64url"),
    ]);
  }

  /** Answers `navigator.credentials.create()`. */
  create(options: Options, quirks: Quirks = {}) {
    this.#userHandle = options.user?.id ?? "";
    const length = Buffer.from([0, this.id.length]);
    const attested = [Buffer.alloc(16), length, this.id, this.#publicKey];
    const authData = this.#authData(options, quirks, AT, attested);
    const size = Buffer.alloc(2);
    size.writeUInt16BE(authData.length);
    // CBOR: { fmt: "none", attStmt: {}, authData }
    const attestationObject = Buffer.concat([
      Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex"),
      Buffer.from([0x59]),
      size,
      authData,
    ]);
    const clientDataJSON = this.#clientData("webauthn.create", options, quirks);
    return this.#credential({
      clientDataJSON: clientDataJSON.toString("base64url"),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal"],
    });
  }

  /** Answers `navigator.credentials.get()`. */
  get(options: Options, quirks: Quirks = {}) {
    this.signCount = quirks.signCount ?? this.signCount + 1;
    const authData = this.#authData(options, quirks, 0, []);
    const clientDataJSON = this.#clientData("webauthn.get", options, quirks);
    const hash = createHash("sha256").update(clientDataJSON).digest();
    return this.#credential({
      clientDataJSON: clientDataJSON.toString("base64url"),
      authenticatorData: authData.toString("base64url"),
      signature: sign("sha256", Buffer.concat([authData, hash]), this.#key).toString("base64url"),
      userHandle: quirks.userHandle ?? this.#userHandle,
    });
  }

  #credential<R>(response: R) {
    const id = this.id.toString("base64url");
    return { id, rawId: id, type: "public-key" as const, response };
  }

  #authData(options: Options, quirks: Quirks, flags: number, rest: Buffer[]): Buffer {
    const rpId = quirks.rpId ?? options.rpId ?? options.rp?.id ?? "";
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.signCount);
    return Buffer.concat([
      createHash("sha256").update(rpId).digest(),
      Buffer.from([flags | UP | (quirks.isUnverified ? 0 : UV)]),
      count,
      ...rest,
    ]);
  }

  #clientData(type: string, { challenge }: Options, { origin = this.origin }: Quirks): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }
}
