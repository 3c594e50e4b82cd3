import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
/** Of nobody that publishes them: made once, since that may take longer than an answer may. */
const foreignKeys = generateKeyPair("RS256");
/** By algorithm, and how many were taken: to make one of RS256 takes longer than most tests. */
const pools = new Map<string, { keys: Promise<Keys>[]; taken: number }>();
const POOL_SIZE = 6;

/** Takes keys that no provider had for the last few times. */
function takeKeys(alg: string): Promise<Keys> {
  const pool = pools.get(alg) ?? { keys: [], taken: 0 };
  pools.set(alg, pool);
  const index = pool.taken++ % POOL_SIZE;
  const keys = pool.keys[index] ?? generateKeyPair(alg);
  pool.keys[index] = keys;
  return keys;
}

type Person = { sub: string; [claim: string]: unknown };
type Grant = { nonce: string; challenge: string; redirectUri: string; person: Person };
/** What it does wrong; each of them once it is set, until it is unset. */
export type Faults = {
  /** Claims of the ID token instead of the right ones; undefined leaves one out. */
  claims?: JWTPayload;
  /** Signs with none, or with a key that it does not publish. */
  signature?: "none" | "foreign" | "broken";
  /** Of `iss` in the answer to the browser (RFC 9207). */
  responseIssuer?: string;
  /** Answers that never come. */
  hangs?: "discovery" | "token" | "jwks";
  /** Claims are in the user info alone. */
  userInfo?: Record<string, unknown>;
  /** Answers that as user info, instead of an object. */
  answerUserInfo?: (info: Record<string, unknown>) => Response | Promise<Response>;
  /** Answers that as its keys, instead of its key alone. */
  answerKeys?: (key: Record<string, unknown>) => Response;
  /** Of the ID token, instead of the right ones; undefined leaves one out. */
  header?: Record<string, unknown>;
  /** Beside the ID token in the answer to a code; undefined leaves a part out. */
  tokenParts?: Record<string, unknown>;
  /** In the document that describes it; undefined leaves a part out. */
  metadata?: Record<string, unknown>;
};

const CLIENT_ID = "snug";
export const CLIENT_SECRET = "the secret of the client";

/** A provider of identities on loopback, which makes the mistakes that are set. */
export class Idp {
  faults: Faults = {};
  #keys!: Keys;
  #kid = 0;
  #alg = "RS256";
  #server!: ReturnType<typeof Bun.serve>;
  readonly #grants = new Map<string, Grant>();
  /** How often each address was called. */
  readonly calls = new Map<string, number>();
  readonly #hanging: (() => void)[] = [];

  static async start(): Promise<Idp> {
    const idp = new Idp();
    await Promise.all([idp.rotateKeys(), foreignKeys]);
    idp.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => idp.#answer(request),
    });
    return idp;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** What an administrator sets. */
  get settings() {
    const { issuer } = this;
    return { name: "Example", issuer, client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
  }

  /** Signs with another key from now on; the old one is gone. */
  async rotateKeys(alg = "RS256"): Promise<void> {
    this.#keys = await takeKeys(alg);
    this.#alg = alg;
    this.#kid += 1;
  }

  /** What someone's browser brings back, after they signed in. */
  signIn(location: string, person: Person): string {
    const url = new URL(location);
    const query = url.searchParams;
    const code = crypto.randomUUID();
    this.#grants.set(code, {
      nonce: query.get("nonce") ?? "",
      challenge: query.get("code_challenge") ?? "",
      redirectUri: query.get("redirect_uri") ?? "",
      person,
    });
    const back = new URL(query.get("redirect_uri") ?? "");
    back.search = new URLSearchParams({
      code,
      state: query.get("state") ?? "",
      iss: this.faults.responseIssuer ?? this.issuer,
    }).toString();
    return back.pathname + back.search;
  }

  /** A logout token (OpenID Connect Back-Channel Logout 1.0, 2.4). */
  logoutToken(claims: Record<string, unknown>, header: Record<string, unknown> = {}) {
    return this.sign(
      {
        aud: CLIENT_ID,
        jti: crypto.randomUUID(),
        events: { "http://schemas.openid.net/event/backchannel-logout": {} },
        ...claims,
      },
      { typ: "logout+jwt", ...header },
    );
  }

  async stop(): Promise<void> {
    for (const release of this.#hanging) release();
    await this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const name = pathname.split("/").at(-1) ?? "";
    this.calls.set(name, (this.calls.get(name) ?? 0) + 1);
    const isHung = { "openid-configuration": "discovery" }[name] ?? name;
    if (this.faults.hangs === isHung) {
      await new Promise<void>((resolve) => this.#hanging.push(resolve));
    }
    const { issuer } = this;
    if (name === "openid-configuration") {
      return Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        end_session_endpoint: `${issuer}/end`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        token_endpoint_auth_methods_supported: ["client_secret_post"],
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
        backchannel_logout_supported: true,
        ...this.faults.metadata,
      });
    }
    if (name === "jwks") {
      const key = await exportJWK(this.#keys.publicKey);
      const described = { ...key, kid: String(this.#kid), use: "sig", alg: this.#alg };
      return (
        this.faults.answerKeys?.(described as Record<string, unknown>) ??
        Response.json({ keys: [described] })
      );
    }
    if (name === "userinfo") {
      const code = request.headers.get("authorization")?.split(" ")[1] ?? "";
      const { sub } = this.#grants.get(`used ${code}`)?.person ?? { sub: "" };
      const info = { sub, ...this.faults.userInfo };
      return this.faults.answerUserInfo?.(info) ?? Response.json(info);
    }
    if (name === "picture.png") return new Response(Bun.file(this.picture));
    return this.#exchange(new URLSearchParams(await request.text()));
  }

  /** A file that `/picture.png` answers. */
  picture = "";

  async #exchange(form: URLSearchParams): Promise<Response> {
    const code = form.get("code") ?? "";
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    const verifier = form.get("code_verifier") ?? "";
    const challenge = new Bun.CryptoHasher("sha256").update(verifier).digest("base64url");
    const isKnown =
      form.get("client_id") === CLIENT_ID && form.get("client_secret") === CLIENT_SECRET;
    if (!isKnown) return Response.json({ error: "invalid_client" }, { status: 401 });
    const isRight =
      grant !== undefined &&
      grant.challenge === challenge &&
      form.get("redirect_uri") === grant.redirectUri;
    if (!isRight) return Response.json({ error: "invalid_grant" }, { status: 400 });
    this.#grants.set(`used ${code}`, grant);
    const claims = { aud: CLIENT_ID, nonce: grant.nonce, ...grant.person, ...this.faults.claims };
    return Response.json({
      access_token: code,
      token_type: "Bearer",
      expires_in: 60,
      id_token: await this.sign(claims),
      ...this.faults.tokenParts,
    });
  }

  /** Signs claims with its key, or as the fault says. */
  async sign(claims: Record<string, unknown>, header: Record<string, unknown> = {}) {
    const now = Math.floor(Date.now() / 1_000);
    const all = { iss: this.issuer, iat: now, exp: now + 60, ...claims };
    const { signature } = this.faults;
    if (signature === "none") {
      const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
      return `${encode({ alg: "none", ...header })}.${encode(all)}.`;
    }
    const { privateKey } = signature === "foreign" ? await foreignKeys : this.#keys;
    const token = await new SignJWT(all)
      .setProtectedHeader({
        alg: this.#alg,
        kid: String(this.#kid),
        ...header,
        ...this.faults.header,
      })
      .sign(privateKey);
    if (signature !== "broken") return token;
    const [head, , tail] = token.split(".");
    const other = Buffer.from(JSON.stringify({ ...all, sub: "someone else" })).toString(
      "base64url",
    );
    return `${head}.${other}.${tail}`;
  }
}
