import { domainToASCII } from "node:url";
import type { Drizzle } from "../database/connect.ts";
import { FatalJobError } from "../jobs-queue/job.ts";
import { Refusal } from "../platform/refusal.ts";
import type { ReadKey } from "../platform/secrets/secrets.ts";
import { type Mail, toOneLine } from "./mail.ts";
import { clearMailFailure, readSmtpWithPassword, saveMailFailure, type Smtp } from "./settings.ts";
import { renderTestMail } from "./templates.ts";

/** Timeouts of each phase; `socketTimeout` limits inactivity. */
const TIMEOUTS = {
  dnsTimeout: 5_000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};
/** The limit for a whole email: servers may send a byte at a time. Below the job's timeout. */
const TOTAL_MS = 45_000;
const MAX_ERROR_LENGTH = 500;

export type Mailer = {
  /**
   * Sends a mail with the current settings.
   * @param id for the `Message-ID`: the same for each attempt, so that duplicates can be recognized
   * @param signal closes the connection when it is aborted
   * @throws FatalJobError if a retry cannot help: no settings, or the server refuses the recipient
   * or the mail itself for good; else Error with the server's message
   */
  send(mail: Mail, id: string, signal?: AbortSignal): Promise<void>;
  /** @throws Refusal `smtp_not_configured`, `delivery_failed` with the server's message */
  sendTest(to: string, site: string): Promise<void>;
  /** Connects and signs in without sending. @returns host and port; null if email is not configured */
  verify(): Promise<string | null>;
};

/** @param ca CA certificates to trust instead of the system's */
export function createMailer(db: Drizzle, readKey: ReadKey, ca?: string): Mailer {
  const fail = async (error: unknown): Promise<never> => {
    const message = messageOf(error);
    await saveMailFailure(db, message);
    throw new Error(message);
  };
  const send = async (mail: Mail, id: string, signal?: AbortSignal) => {
    const smtp = await readSmtpWithPassword(db, readKey).catch(fail);
    if (!smtp) throw new FatalJobError("Outgoing mail is not set up.");
    const timeout = AbortSignal.timeout(TOTAL_MS);
    try {
      await sendBy(smtp, ca, mail, id, signal ? AbortSignal.any([signal, timeout]) : timeout);
    } catch (error) {
      if (timeout.aborted) return fail(new Error("The mail server took too long."));
      if (error instanceof FatalJobError) throw error;
      if (isFinal(error as SmtpError)) throw new FatalJobError(messageOf(error));
      if (signal?.aborted || isOfOneMail(error as SmtpError)) throw new Error(messageOf(error));
      return fail(error);
    }
    await clearMailFailure(db);
  };
  return {
    send,
    async sendTest(to, site) {
      if (!(await readSmtpWithPassword(db, readKey))) {
        throw new Refusal("smtp_not_configured", "Set up outgoing mail first.");
      }
      await send(renderTestMail(to, site), Bun.randomUUIDv7()).catch((error: Error) => {
        throw new Refusal("delivery_failed", error.message);
      });
    },
    async verify() {
      const smtp = await readSmtpWithPassword(db, readKey);
      if (!smtp) return null;
      const { createSmtpTransport } = await loadTransport();
      const transport = createSmtpTransport(optionsOf(smtp, ca));
      await transport.verify().catch((error) => {
        throw new Error(`${smtp.host}:${smtp.port}: ${messageOf(error)}`);
      });
      return `${smtp.host}:${smtp.port}`;
    },
  };
}

async function sendBy(
  smtp: Smtp,
  ca: string | undefined,
  mail: Mail,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  const { createSmtpTransport, encodeSubject, offersSmtpUtf8 } = await loadTransport();
  const options = optionsOf(smtp, ca);
  const unusual = [mail.to, smtp.from].find(({ address }) => needsSmtpUtf8(address));
  if (unusual && !(await offersSmtpUtf8(options, signal))) {
    const message = `The mail server does not offer SMTPUTF8, which ${unusual.address} needs.`;
    throw unusual === mail.to ? new FatalJobError(message) : new Error(message);
  }
  const subject = encodeSubject(toOneLine(mail.subject));
  await createSmtpTransport(options).sendMail({
    ...toMessage(mail, id, smtp.from),
    subject,
    signal,
  });
}

const optionsOf = (smtp: Smtp, ca: string | undefined) => ({
  host: smtp.host,
  port: smtp.port,
  secure: smtp.security === "tls",
  // Otherwise an attacker on the network could strip the server's offer of TLS.
  requireTLS: smtp.security === "starttls",
  ignoreTLS: smtp.security === "none",
  auth: smtp.auth ?? undefined,
  tls: ca === undefined ? undefined : { ca },
  disableFileAccess: true,
  disableUrlAccess: true,
  ...TIMEOUTS,
});

const toMessage = ({ to, text, html, unsubscribe }: Mail, id: string, from: Smtp["from"]) => ({
  from,
  to: { name: toOneLine(to.name), address: to.address },
  text,
  html,
  messageId: `<${id}@${toAsciiDomain(from.address)}>`,
  date: new Date(),
  // Keeps vacation responders from replying (RFC 3834).
  headers: { "Auto-Submitted": "auto-generated" },
  list: unsubscribe === undefined ? undefined : { unsubscribe },
});

/** nodemailer is loaded with the first email. */
const loadTransport = () => import("./transport.ts");

type SmtpError = { code?: string; command?: string; responseCode?: number };
/** Failed or missing authentication (RFC 4954, 6): wrong settings, regardless of the email. */
const AUTHENTICATION_CODES = [530, 534, 535, 538];

/**
 * Whether the server permanently rejected the recipient or the message (5yz, RFC 5321, 4.2.1). Earlier
 * errors, such as a wrong password or a blocked IP address, concern this service and may change.
 */
function isFinal({ code, command, responseCode = 0 }: SmtpError): boolean {
  if (responseCode < 500 || AUTHENTICATION_CODES.includes(responseCode)) return false;
  return command === "RCPT TO" || (command === "DATA" && code === "EMESSAGE");
}

/** Whether the server temporarily rejected only this recipient or message. */
function isOfOneMail({ command, responseCode = 0 }: SmtpError): boolean {
  if (AUTHENTICATION_CODES.includes(responseCode)) return false;
  return responseCode !== 421 && (command === "RCPT TO" || command === "DATA");
}

/** Only the part before the @ matters: a domain has an ASCII form (RFC 5891). */
function needsSmtpUtf8(address: string): boolean {
  return /[^\0-\x7f]/.test(address.slice(0, address.lastIndexOf("@")));
}

function toAsciiDomain(address: string): string {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return domainToASCII(domain) || domain;
}

/** Returns the command and the server's response, or why it cannot be reached, on one line. */
function messageOf(error: unknown): string {
  const { command, response, message } = error as SmtpError & {
    response?: string;
    message?: string;
  };
  const answer = response && command ? `${command}: ${response}` : response;
  return toOneLine(answer ?? message ?? String(error)).slice(0, MAX_ERROR_LENGTH);
}
