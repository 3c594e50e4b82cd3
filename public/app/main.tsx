import "./parts/import-chunk.ts";
import { render } from "preact";
import { watchKeyboard } from "./session/keyboard.ts";
import { watchKeys } from "./session/keys.ts";
import { watchLanguage } from "./session/language.ts";
import { watchAddress } from "./session/navigation.ts";
import { watchPage, watchTitle } from "./session/page.ts";
import { watchDrafts } from "./session/sidebar.ts";
import { store } from "./session/store.ts";
import { firstScreen } from "./parts/first-screen.ts";
import { leaveKeysToInputMethods } from "./parts/input-method.ts";
import { loadQuietly } from "./parts/missing-parts.ts";
import { watchSidebarWidth } from "./parts/sidebar-width.ts";
import { warmUp } from "./session/warm-up.ts";
import { watchServiceWorker } from "./session/service-worker.ts";
import { App } from "./shell/app.tsx";

const loadCopying = () => void import("./messages/copy-messages.ts").catch(() => {});

leaveKeysToInputMethods();

function start(): void {
  watchSidebarWidth();
  watchAddress();
  watchTitle();
  watchPage();
  watchServiceWorker();
  watchDrafts();
  // From the start: what is pressed before the code for it is there is kept for it.
  watchKeyboard();
  watchKeys();
  // Loaded with the first selection, before it can be copied.
  document.addEventListener("selectionchange", loadCopying, { once: true });
  if (RELOAD_PAGES) {
    import("./reload-on-change.ts").then((it) => it.reloadOnChange(), console.error);
  }
  void firstScreen.then(() =>
    loadQuietly(
      () => import("./session/later.ts"),
      ({ watchLater }) => watchLater(),
    ),
  );
  void store.start();
  // Nothing is rendered before the words of the reader's language are loaded.
  void watchLanguage().then(() => {
    const root = document.getElementById("app");
    if (root) render(<App />, root);
    void warmUp();
  });
}

// Where something is missing, the inline script has said so.
if (!document.documentElement.dataset.lack) start();
