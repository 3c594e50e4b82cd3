import { EMAIL_PATTERN } from "../wire/patterns.ts";

export type Mail = {
  to: Address;
  subject: string;
  text: string;
  html: string;
  /** The page where the recipient can turn these mails off (`List-Unsubscribe`, RFC 2369). */
  unsubscribe?: string;
};

type MailContent = {
  to: Address;
  subject: string;
  /** The first line, and the heading of the HTML. */
  title: string;
  paragraphs: string[];
  button?: { label: string; url: string };
  /** Small print at the end. */
  notes: string[];
  unsubscribe?: string;
};

/** Renders a mail as text and as HTML. All content is escaped; markup comes from this file only. */
export function renderMail({ title, paragraphs, button, notes, ...rest }: MailContent): Mail {
  const text = [
    title,
    ...paragraphs,
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...(notes.length > 0 ? ["-- "] : []),
    ...notes,
  ].join("\n\n");
  const body = [
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${Bun.escapeHTML(title)}</h1>`,
    ...paragraphs.map((line) => `<p style="margin:0 0 16px">${Bun.escapeHTML(line)}</p>`),
    ...(button ? [renderButton(button)] : []),
    ...notes.map(
      (line) =>
        `<p style="margin:16px 0 0;font-size:13px;${MUTED_STYLE}">${Bun.escapeHTML(line)}</p>`,
    ),
  ];
  return { ...rest, text: `${text}\n`, html: renderPage(title, body.join("\n")) };
}

const MUTED_STYLE = "color:#6b6259";

/** A link styled as a button, with its URL as text below for clients that don't show it. */
function renderButton({ label, url }: { label: string; url: string }): string {
  const style =
    "display:inline-block;max-width:100%;box-sizing:border-box;padding:10px 18px;border-radius:6px;background:#a4501f;color:#ffffff;" +
    "font-weight:600;text-decoration:none";
  return `<p style="margin:0 0 16px"><a href="${Bun.escapeHTML(url)}" style="${style}">${Bun.escapeHTML(label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;${MUTED_STYLE};word-break:break-all">${Bun.escapeHTML(url)}</p>`;
}

/** Uses tables and inline styles, which mail clients display alike. */
function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light">
<title>${Bun.escapeHTML(title)}</title>
</head>
<body style="margin:0;padding:0;background:#f6f1ea">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="table-layout:fixed;background:#f6f1ea">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;table-layout:fixed;background:#ffffff;border:1px solid #e3d9cc;border-radius:10px">
<tr><td style="padding:28px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:15px;line-height:1.5;color:#2b2520;word-wrap:break-word;overflow-wrap:break-word">
${body}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

export type Address = { name: string; address: string };

const IS_EMAIL = new RegExp(EMAIL_PATTERN);

/** Parses `snug@example.org` or `Snug <snug@example.org>`; null for anything else. */
export function parseAddress(text: string): Address | null {
  const [, name = "", address = ""] = /^([^<>]*)<([^<>]*)>$/.exec(text) ?? ["", "", text];
  if (!IS_EMAIL.test(address)) return null;
  return { name: toOneLine(name.replace(/^\s*"|"\s*$/g, "")), address };
}

/** A line break would start another header, and a direction mark would reorder the text. */
export function toOneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}
