import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type ClientMetadata as Registered } from "oidc-provider";

type ClientMetadata = Partial<Registered>;
const SECRET = "a secret of the client that is long enough";

/** A real provider of identities (oidc-provider) on loopback, with its own forms. */
export class RealIdp {
  private constructor(
    readonly server: Server,
    readonly issuer: string,
  ) {}

  /** @param client how the client is registered there, beside its id, secret and address */
  static async start(redirectUri: string, client: ClientMetadata = {}): Promise<RealIdp> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
    // It warns that its quick start is for development, which this is.
    const { info, warn } = console;
    Object.assign(console, { info: () => {}, warn: () => {} });
    const provider = new Provider(issuer, {
      clients: [
        { client_id: "snug", client_secret: SECRET, redirect_uris: [redirectUri], ...client },
      ],
      features: { jwtUserinfo: { enabled: true } },
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      pkce: { required: () => true },
      claims: {
        openid: ["sub"],
        email: ["email", "email_verified"],
        profile: ["name", "preferred_username"],
      },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({
          sub: id,
          email: `${id}@example.org`,
          email_verified: true,
          name: "Real Person",
          preferred_username: id,
        }),
      }),
    });
    Object.assign(console, { info, warn });
    server.on("request", provider.callback());
    return new RealIdp(server, issuer);
  }

  get settings() {
    return { name: "Real", issuer: this.issuer, client_id: "snug", client_secret: SECRET };
  }

  /** Signs in by its forms, and agrees to what is asked for. @returns the address that it leads back to */
  async signIn(location: string, login: string): Promise<string> {
    const cookies = new Map<string, string>();
    let next = location;
    let form: Record<string, string> | null = null;
    for (let step = 0; step < 12; step++) {
      const answer: Response = await fetch(next, {
        redirect: "manual",
        method: form ? "POST" : "GET",
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
        body: form ? new URLSearchParams(form) : undefined,
      });
      for (const cookie of answer.headers.getSetCookie()) {
        const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split(/=(.*)/s);
        cookies.set(name, value);
      }
      const to = answer.headers.get("location");
      const page: string = await answer.text();
      if (to) {
        next = new URL(to, next).href;
        form = null;
        if (!next.startsWith(this.issuer)) return next;
        continue;
      }
      const prompt: string | undefined = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (!prompt) throw new Error(`${answer.status} ${page.slice(0, 300)}`);
      next = new URL(/action="([^"]+)"/.exec(page)?.[1] ?? next, next).href;
      form = prompt === "login" ? { prompt, login, password: "x" } : { prompt };
    }
    throw new Error("It did not lead back.");
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
