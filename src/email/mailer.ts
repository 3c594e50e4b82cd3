import { createTransport, type SendMailOptions } from "nodemailer";
import type { Drizzle } from "../database/connect.ts";
import { Refusal } from "../platform/refusal.ts";
import type { ReadKey } from "../platform/secrets.ts";
import { oneLine } from "./address.ts";
import { compose, type Mail } from "./mail.ts";
import { openSmtp, type Smtp } from "./settings.ts";

/** Of each phase; `socketTimeout` is that of silence. */
const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};
/** For a mail as a whole, also where a server sends a byte now and then: less than a job may take. */
const TOTAL_MS = 45_000;
const WORDS_LENGTH = 500;

/** A mail that the server will never take (RFC 5321, 4.2.1: 5yz), or that there is no way to send. */
export class UndeliverableError extends Error {
  override readonly name = "UndeliverableError";
}

export type Mailer = {
  /**
   * Hands a mail to the mail server of the settings as they are now.
   * @param id of the mail: the same in each try
   * @param signal closes the connection when it is aborted
   * @throws UndeliverableError where another try is of no use; else with the server's words
   */
  send(mail: Mail, id: string, signal?: AbortSignal): Promise<void>;
  /**
   * Sends a test mail, and waits for the server's answer.
   * @throws Refusal `smtp_not_configured`, `delivery_failed` with the server's own words
   */
  sendTest(to: string): Promise<void>;
  /** Connects and signs in, and sends nothing. @returns where; null while no mail is set up */
  verify(): Promise<string | null>;
};

/**
 * @param baseUrl the origin that people use
 * @param ca certificates of authorities to trust instead of the system's
 */
export function createMailer(db: Drizzle, readKey: ReadKey, baseUrl: string, ca?: string): Mailer {
  const transportOf = (smtp: Smtp) =>
    createTransport({
      host: smtp.host,
      port: smtp.port,
      secure: smtp.security === "tls",
      // Without this, a server or someone between that offers no TLS would be believed.
      requireTLS: smtp.security === "starttls",
      ignoreTLS: smtp.security === "none",
      auth: smtp.auth ?? undefined,
      tls: ca === undefined ? undefined : { ca },
      disableFileAccess: true,
      disableUrlAccess: true,
      ...TIMEOUTS,
    });
  const send = async (mail: Mail, id: string, signal?: AbortSignal) => {
    const smtp = await openSmtp(db, readKey);
    if (!smtp) throw new UndeliverableError("Outgoing mail is not set up.");
    const { to, subject, text, html, unsubscribe } = mail;
    const late = AbortSignal.timeout(TOTAL_MS);
    try {
      const message: SendMailOptions & { signal: AbortSignal } = {
        from: smtp.from,
        to: { name: oneLine(to.name), address: to.address },
        subject: oneLine(subject),
        text,
        html,
        messageId: `<${id}@${smtp.from.address.split("@")[1]}>`,
        date: new Date(),
        // RFC 3834: nobody's absence notice answers a machine.
        headers: { "Auto-Submitted": "auto-generated" },
        list: unsubscribe === undefined ? undefined : { unsubscribe },
        signal: signal ? AbortSignal.any([signal, late]) : late,
      };
      await transportOf(smtp).sendMail(message);
    } catch (error) {
      if (late.aborted) throw new Error("The mail server took too long.");
      const { responseCode } = error as { responseCode?: number };
      if (responseCode !== undefined && responseCode >= 500) {
        throw new UndeliverableError(wordsOf(error));
      }
      throw new Error(wordsOf(error));
    }
  };
  return {
    send,
    async sendTest(to) {
      if (!(await openSmtp(db, readKey))) {
        throw new Refusal("smtp_not_configured", "Set up outgoing mail first.");
      }
      await send(testMail(to, baseUrl), Bun.randomUUIDv7()).catch((error: Error) => {
        throw new Refusal("delivery_failed", error.message);
      });
    },
    async verify() {
      const smtp = await openSmtp(db, readKey);
      if (!smtp) return null;
      await transportOf(smtp)
        .verify()
        .catch((error) => {
          throw new Error(`${smtp.host}:${smtp.port}: ${wordsOf(error)}`);
        });
      return `${smtp.host}:${smtp.port}`;
    },
  };
}

function testMail(to: string, baseUrl: string): Mail {
  const { host } = new URL(baseUrl);
  return compose({
    to: { name: "", address: to },
    subject: `Test mail from Snug at ${host}`,
    title: "Mail works",
    paragraphs: [
      `This test was sent from the settings of Snug at ${host}. Invites will arrive too.`,
    ],
    notes: [],
  });
}

/** What the mail server said, or why it could not be asked, on one line. */
function wordsOf(error: unknown): string {
  const { response, message } = error as { response?: string; message?: string };
  return oneLine(response ?? message ?? String(error)).slice(0, WORDS_LENGTH);
}
