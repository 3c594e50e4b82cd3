import { Refusal } from "../platform/refusal.ts";
import { type Code, CODES } from "../wire/codes.ts";

/** Failures whose page has a text of its own, instead of that of their code. */
type PageTexts = "not_connected" | "undated";

/** A refusal whose page names an administrator to ask, or has a text of its own. */
export class PageRefusal extends Refusal {
  /** @param contact an administrator to ask; null if none has a display name */
  constructor(
    code: Code,
    readonly texts: Code | PageTexts,
    detail: string,
    readonly contact: string | null = null,
  ) {
    super(code, detail);
  }
}

/** The texts of a page. In English the failure itself is the refusal's sentence. */
type Words = {
  title: string;
  back: string;
  /** The link to the provider, if it is the only sign-in method. */
  again: string;
  emergency: string;
  /** Instead of the name of an administrator. */
  someone: string;
  failures: Partial<Record<Code | PageTexts, string>>;
};

const WORDS: Record<"en" | "de" | "es", Words> = {
  en: {
    title: "Not signed in",
    back: "Go to the sign-in",
    again: "Try again",
    emergency: "Sign in with a password, for emergencies",
    someone: "an administrator",
    failures: {},
  },
  de: {
    title: "Nicht angemeldet",
    back: "Zur Anmeldung",
    again: "Erneut versuchen",
    emergency: "Mit Passwort anmelden, für Notfälle",
    someone: "einen Administrator",
    failures: {
      account_exists:
        "Du hast hier schon ein Konto. Melde dich einmal damit an und verbinde es in deinem Profil.",
      not_connected:
        "Mit dieser Anmeldung ist hier kein Konto verbunden. Wenn du eines hast, melde dich damit an und verbinde es in deinem Profil. Sonst bitte {whom} um eine Einladung.",
      undated:
        "Der Anbieter sagt nicht, wann du dich dort angemeldet hast. Bestätige mit Passwort oder zweitem Faktor, dass du es bist, oder melde dich ab und wieder an.",
      not_invited: "Für dich gibt es hier kein Konto. Bitte {whom} um eine Einladung.",
      challenge_expired:
        "Diese Anmeldung hat zu lange gedauert oder in einem anderen Browser begonnen.",
      forbidden: "Die Anmeldung wurde beim Anbieter abgebrochen.",
      bad_request:
        "Die Antwort des Anbieters ist ungültig. Versuche es noch einmal oder sag einem Administrator Bescheid.",
      provider_failed: "Der Anbieter ist nicht erreichbar. Versuche es später noch einmal.",
      invalid_credentials: "Das hat nicht geklappt. Prüfe das Konto und versuche es noch einmal.",
      proof_needed: "Bestätige zuerst in deinem Profil, dass du es bist.",
      unauthenticated: "Du wurdest inzwischen abgemeldet. Melde dich wieder an.",
      not_found: "Diesen Anbieter gibt es hier nicht.",
      rate_limited: "Zu viele Versuche. Warte ein paar Minuten und versuche es dann noch einmal.",
      cross_origin: "Der Link kam von einer anderen Website. Verbinde das Konto in deinem Profil.",
      email_taken: "Mit dieser Adresse gibt es hier schon ein Konto. Melde dich damit an.",
      validation: "Die Adresse dieser Anmeldung ist ungültig. Beginne von vorn.",
    },
  },
  es: {
    title: "No se pudo iniciar sesión",
    back: "Ir al inicio de sesión",
    again: "Intentarlo de nuevo",
    emergency: "Iniciar sesión con contraseña, para emergencias",
    someone: "un administrador",
    failures: {
      account_exists:
        "Ya tienes una cuenta aquí. Inicia sesión una vez con ella y conéctala en tu perfil.",
      not_connected:
        "Ninguna cuenta de aquí está conectada con este inicio de sesión. Si tienes una, inicia sesión con ella y conéctala en tu perfil. Si no, pide una invitación a {whom}.",
      undated:
        "El proveedor no dice cuándo iniciaste sesión allí. Confírmalo con tu contraseña o un segundo factor, o cierra sesión y vuelve a iniciarla.",
      not_invited: "Aquí no hay una cuenta para ti. Pide una invitación a {whom}.",
      challenge_expired: "Este inicio de sesión tardó demasiado o empezó en otro navegador.",
      forbidden: "El inicio de sesión se canceló en el proveedor.",
      bad_request:
        "La respuesta del proveedor no es válida. Inténtalo de nuevo o avisa a un administrador.",
      provider_failed: "No se puede contactar con el proveedor. Inténtalo más tarde.",
      invalid_credentials: "No funcionó. Revisa la cuenta e inténtalo de nuevo.",
      proof_needed: "Confirma primero en tu perfil que eres tú.",
      unauthenticated: "Tu sesión terminó mientras tanto. Vuelve a iniciar sesión.",
      not_found: "Ese proveedor no existe aquí.",
      rate_limited: "Demasiados intentos. Espera unos minutos e inténtalo de nuevo.",
      cross_origin: "El enlace venía de otro sitio. Conecta la cuenta en tu perfil.",
      email_taken: "Ya hay una cuenta aquí con esta dirección. Inicia sesión con ella.",
      validation: "La dirección de este inicio de sesión no es válida. Empieza de nuevo.",
    },
  },
};

const STYLE =
  "body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;color:#2b2622;background:#faf7f3}main{max-width:26rem;padding:2rem;overflow-wrap:anywhere}h1{font-size:1.25rem;margin:0 0 .75rem}p{margin:0 0 1.5rem}a{display:inline-block;padding:.6rem 1.1rem;border-radius:.5rem;background:#a4501f;color:#fff;text-decoration:none;font-weight:600}nav{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center}.other{background:none;color:inherit;padding:.6rem 0;text-decoration:underline}a:focus-visible{outline:3px solid #a4501f;outline-offset:3px}@media(prefers-color-scheme:dark){body{color:#ece6df;background:#1d1a17}a{background:#e08a50;color:#1d1a17}a:focus-visible{outline-color:#e08a50}}";

const STYLE_HASH = `'sha256-${new Bun.CryptoHasher("sha256").update(STYLE).digest("base64")}'`;

/**
 * Renders a page that says why a sign-in failed, with a link to continue.
 * @param isOnly whether a provider is the only sign-in method: the usual link would lead straight back to
 * it, so emergency accounts need another
 */
export function failurePage(
  refusal: Refusal,
  request: Request,
  { back, isOnly }: { back: string; isOnly: boolean },
): Response {
  const language = languageOf(request);
  const { title, someone, failures, ...labels } = WORDS[language];
  const isLoop = isOnly && back === "/signin";
  const links = [
    `<a href="${Bun.escapeHTML(back)}">${isLoop ? labels.again : labels.back}</a>`,
    ...(isLoop ? [`<a class="other" href="/signin?password=1">${labels.emergency}</a>`] : []),
  ].join("");
  const page = refusal instanceof PageRefusal ? refusal : null;
  const contact = page?.contact ?? someone;
  const key = page?.texts ?? refusal.code;
  const sentence = failures[key]?.replace("{whom}", () => contact) ?? refusal.detail;
  const html = `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1><p>${Bun.escapeHTML(sentence)}</p><nav>${links}</nav></main></body></html>`;
  return new Response(html, {
    status: CODES[refusal.code][0],
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src ${STYLE_HASH}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      "cache-control": "no-store",
    },
  });
}

/** Returns the browser's most preferred language that has texts. */
function languageOf(request: Request): keyof typeof WORDS {
  const ranges = (request.headers.get("accept-language") ?? "").toLowerCase().split(",");
  for (const range of ranges) {
    const language = range.trim().slice(0, 2);
    if (language === "en" || language === "de" || language === "es") return language;
  }
  return "en";
}

/** Browsers that follow a link get pages; programs get problem documents. */
export function wantsPage(request: Request): boolean {
  return (request.headers.get("accept") ?? "").includes("text/html");
}
