/** In the languages of `words`, which are not loaded yet. */
const SENTENCES = {
  old: {
    en: "Snug needs a newer browser: at least Chrome 122, Firefox 128 or Safari 17.4.",
    de: "Snug braucht einen neueren Browser: mindestens Chrome 122, Firefox 128 oder Safari 17.4.",
    es: "Snug necesita un navegador más reciente: al menos Chrome 122, Firefox 128 o Safari 17.4.",
  },
  cookies: {
    en: "Snug needs cookies. Allow them for this page and load it again.",
    de: "Snug braucht Cookies. Erlaube sie für diese Seite und lade sie neu.",
    es: "Snug necesita cookies. Permítelas para esta página y vuelve a cargarla.",
  },
};

/** What each browser since Chrome 122, Firefox 127 and Safari 17.4 has, and the client uses from the start. */
function isTooOld(): boolean {
  return (
    typeof Promise.withResolvers !== "function" ||
    typeof Set.prototype.union !== "function" ||
    typeof Map.groupBy !== "function" ||
    typeof AbortSignal.any !== "function" ||
    typeof HTMLElement.prototype.showPopover !== "function"
  );
}

/**
 * Says in one sentence what the page lacks. The bundled client then does not run: its first module
 * looks for the sentence.
 */
export function showLack(): void {
  const kind = isTooOld() ? "old" : navigator.cookieEnabled ? null : "cookies";
  if (!kind) return;
  const [, language = "en"] = /^(de|es)/.exec(navigator.language) || [];
  const text = SENTENCES[kind][language as "en" | "de" | "es"];
  document.documentElement.lang = language;
  document.documentElement.dataset.lack = kind;
  document.addEventListener("DOMContentLoaded", () => {
    const line = document.createElement("p");
    line.className = "lack";
    line.setAttribute("role", "alert");
    line.textContent = text;
    document.body.insertBefore(line, document.body.firstChild);
  });
}
