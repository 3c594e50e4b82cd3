import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { eventually } from "./wait.ts";

/** Its own authority, for `localhost`. */
export const LOCALHOST_CA = join(import.meta.dir, "tls/localhost.pem");
const key = join(import.meta.dir, "tls/localhost.key.pem");

export const ACCOUNT = { username: "snug", password: "the mail password" };
/** What the server says to one who signs in with another password. */
export const BAD_LOGIN = "5.7.8 That is not the mail password";

/** A mail as it came: the envelope's recipients, the raw text, and what an independent parser reads. */
export type Received = { to: string[]; raw: string; mail: ParsedMail; tls: boolean };
type Stage = "auth" | "mail" | "rcpt" | "data";

/** A real mail server on loopback, which keeps what it is given. */
export class MailServer {
  readonly received: Received[] = [];
  #taken = 0;
  /** Said instead of taking a mail, once for each: to the message itself, or to an earlier command. */
  readonly refusals: { code: number; words: string; at?: Stage }[] = [];
  /** How many mails were refused. */
  refused = 0;

  private constructor(
    readonly server: SMTPServer,
    readonly port: number,
    readonly kind: "plain" | "starttls",
  ) {}

  /** `starttls`: takes mail only over TLS and from `ACCOUNT`. `plain`: from anyone. */
  static async open(
    kind: "plain" | "starttls",
    options: SMTPServerOptions = {},
  ): Promise<MailServer> {
    const secure: SMTPServerOptions =
      kind === "plain"
        ? { disabledCommands: ["STARTTLS", "AUTH"], authOptional: true }
        : { key: readFileSync(key), cert: readFileSync(LOCALHOST_CA), allowInsecureAuth: false };
    const server = new SMTPServer({
      ...secure,
      ...options,
      onAuth({ username, password }, _session, callback) {
        const refusal = mails.#refuse("auth");
        if (refusal) return callback(refusal);
        const good = username === ACCOUNT.username && password === ACCOUNT.password;
        if (good) return callback(null, { user: username });
        callback(Object.assign(new Error(BAD_LOGIN), { responseCode: 535 }));
      },
      onMailFrom: (_address, _session, callback) => callback(mails.#refuse("mail")),
      onRcptTo: (_address, _session, callback) => callback(mails.#refuse("rcpt")),
      onData(stream, session, callback) {
        void new Response(stream as unknown as ReadableStream).text().then(async (raw) => {
          const refusal = mails.#refuse("data");
          if (refusal) return callback(refusal);
          const to = session.envelope.rcptTo.map(({ address }) => address);
          const mail = await simpleParser(raw);
          mails.received.push({ to, raw, mail, tls: session.secure });
          callback();
        });
      },
    });
    // A client that leaves in the middle is no concern of a test.
    server.on("error", () => {});
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, "127.0.0.1", resolve);
    await promise;
    const { port } = server.server.address() as AddressInfo;
    const mails = new MailServer(server, port, kind);
    return mails;
  }

  /** The next refusal, if it is meant for this stage. */
  #refuse(stage: Stage): Error | null {
    const [next] = this.refusals;
    if (!next || (next.at ?? "data") !== stage) return null;
    this.refusals.shift();
    this.refused++;
    return Object.assign(new Error(next.words), { responseCode: next.code });
  }

  /** What an administrator sets to use it. */
  get settings() {
    const from = "Snug <snug@example.org>";
    const shared = { host: "localhost", port: this.port, from };
    if (this.kind === "plain") return { ...shared, security: "none" };
    return { ...shared, security: "starttls", ...ACCOUNT };
  }

  /** How many came that nobody has taken. */
  get waiting(): number {
    return this.received.length - this.#taken;
  }

  /** The next mail that was not taken before. */
  async next(): Promise<Received> {
    await eventually(() => this.received.length > this.#taken);
    return this.received[this.#taken++] as Received;
  }

  /** Waits until so many mails have been refused. */
  untilRefused(count: number): Promise<void> {
    return eventually(() => this.refused >= count);
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.close(() => resolve());
    await promise;
  }
}

/** The link of a mail: its token, and that the text and the HTML lead to the same place. */
export function linkOf({ mail }: Received, path: string): { url: string; token: string } {
  const url = new RegExp(`https?://\\S+${path}#token=([A-Za-z0-9_-]{43})`).exec(mail.text ?? "");
  if (!url) throw new Error(`no link to ${path} in ${mail.text}`);
  if (!String(mail.html).includes(`href="${url[0]}"`)) throw new Error("the HTML has no such link");
  return { url: url[0], token: url[1] ?? "" };
}
