/* Reports in one sentence what the browser lacks for Snug. This script is inlined unchanged, so
   it must run in browsers with only ECMAScript 5: no imports, arrow functions, `const` or `??`. */
(function showLack() {
  var MESSAGES: Record<string, Record<string, string>> = {
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
    load: {
      en: "Snug didn't load. Check your connection and load this page again.",
      de: "Snug wurde nicht geladen. Prüfe deine Verbindung und lade diese Seite neu.",
      es: "Snug no se ha cargado. Comprueba tu conexión y vuelve a cargar esta página.",
    },
  };

  /**
   * Whether the browser lacks a feature of Chrome 122, Firefox 127 and Safari 17.4 that the client
   * needs to start.
   */
  function isTooOld() {
    return (
      typeof Promise !== "function" ||
      typeof Promise.withResolvers !== "function" ||
      typeof Set !== "function" ||
      typeof Set.prototype.union !== "function" ||
      typeof Map.groupBy !== "function" ||
      typeof AbortSignal !== "function" ||
      typeof AbortSignal.any !== "function" ||
      typeof HTMLElement.prototype.showPopover !== "function"
    );
  }

  function readLanguage() {
    var chosen: string | null = null;
    try {
      chosen = localStorage.getItem("snug.language");
    } catch (_) {
      // Storage is blocked, so use the browser's language.
    }
    var match = /^(de|es)/.exec(chosen || navigator.language || "");
    return match ? String(match[1]) : "en";
  }

  function write(kind: string) {
    var language = readLanguage();
    var line = document.createElement("p");
    line.setAttribute("role", "alert");
    line.textContent = String((MESSAGES[kind] || {})[language]);
    line.style.cssText =
      "max-width:32em;margin:20vh auto;padding:0 24px;font:17px/1.5 system-ui,sans-serif";
    document.documentElement.lang = language;
    document.body.insertBefore(line, document.body.firstChild);
  }

  var kind = isTooOld() ? "old" : navigator.cookieEnabled ? "" : "cookies";
  if (kind) {
    // The client's first module checks this, and then does not start.
    document.documentElement.setAttribute("data-lack", kind);
    document.addEventListener("DOMContentLoaded", function () {
      write(kind);
    });
    return;
  }

  /** A script that fails to load or parse would leave the page empty. */
  function onError(event: Event) {
    var script = event.target as HTMLScriptElement;
    var source = script && script.src ? script.src : (event as ErrorEvent).filename;
    var app = document.getElementById("app");
    if (!source || source.indexOf("/assets/") < 0 || (app && app.firstChild)) return;
    window.removeEventListener("error", onError, true);
    write("load");
  }
  window.addEventListener("error", onError, true);
})();
