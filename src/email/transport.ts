import nodemailer, { type SendMailOptions, type Transporter } from "nodemailer";
import { encodeWord } from "nodemailer/lib/mime-funcs";
import SMTPConnection, { type SMTPConnectionOptions } from "nodemailer/lib/smtp-connection";

/** Maximum characters of one encoded word; RFC 2047 allows 75. */
const MAX_WORD_LENGTH = 52;

/** Undocumented parts of nodemailer, whose version is pinned. */
type NameEncoder = { _encodeAddressName(name: string): string };
type Extensions = { _supportedExtensions: string[] };

/**
 * Creates a transport whose headers decode to exactly the original text. By default nodemailer does not
 * encode text that looks like an encoded word (RFC 2047), which the recipient's mail client would then
 * decode.
 */
export function createSmtpTransport(options: SMTPConnectionOptions): Transporter {
  const transport = nodemailer.createTransport(options);
  transport.use("stream", (mail, done) => {
    const node = mail.message as unknown as NameEncoder;
    const encodeName = node._encodeAddressName.bind(node);
    // Also within quotes, since lenient mail clients decode encoded words there.
    node._encodeAddressName = (name) => (name.includes("=?") ? encodeText(name) : encodeName(name));
    done();
  });
  return transport as unknown as Transporter;
}

/** Encodes a subject so that it decodes to exactly this text. */
export function encodeSubject(text: string): SendMailOptions["subject"] {
  return text.includes("=?") ? encodeText(text) : text;
}

function encodeText(text: string): string {
  return encodeWord(text, "B", MAX_WORD_LENGTH);
}

/** Whether the server accepts mailboxes outside ASCII (RFC 6531); nodemailer does not check this. */
export async function offersSmtpUtf8(
  options: SMTPConnectionOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const connection = new SMTPConnection(options);
  const close = () => connection.close();
  signal.addEventListener("abort", close);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  connection.once("error", reject);
  connection.once("end", () => reject(new Error("The mail server closed the connection.")));
  connection.connect(() => resolve());
  try {
    await promise;
    return (connection as unknown as Extensions)._supportedExtensions.includes("SMTPUTF8");
  } finally {
    signal.removeEventListener("abort", close);
    connection.close();
  }
}
