import "./parts/import-chunk.ts";
import { render } from "preact";
import { watchFirstLists } from "./session/first-lists.ts";
import { watchKeyboard } from "./session/keyboard.ts";
import { watchKeys } from "./session/keys.ts";
import { watchLanguage } from "./session/chosen-language.ts";
import { watchAddress } from "./session/navigation.ts";
import { watchPage, watchPerson, watchTitle } from "./session/page.ts";
import { watchDrafts } from "./session/sidebar-items.ts";
import { store } from "./session/store.ts";
import { firstScreen } from "./parts/first-screen.ts";
import { leaveKeysToInputMethods } from "./parts/input-method.ts";
import { requestRest, restLoaded } from "./parts/load-rest.tsx";
import { watchSidebarWidth } from "./parts/sidebar-width.ts";
import { getThreads } from "./session/thread-actions.ts";
import { warmUp } from "./session/warm-up.ts";
import { watchServiceWorker } from "./session/service-worker.ts";
import { App } from "./shell/app.tsx";

leaveKeysToInputMethods();

function start(): void {
  watchSidebarWidth();
  watchAddress();
  watchTitle();
  watchPage();
  watchPerson();
  watchServiceWorker();
  watchDrafts();
  // From the start: what is pressed before the code for it is there is kept for it.
  watchKeyboard();
  watchKeys();
  if (RELOAD_PAGES) {
    import("./reload-on-change.ts").then((module) => module.reloadOnChange(), console.error);
  }
  void firstScreen.then(requestRest);
  // Until it is loaded, drafts stay on this device.
  void Promise.all([restLoaded, firstScreen]).then(([rest]) => {
    rest.watchTheme();
    rest.startKeeping();
    rest.watchCopies();
  });
  getThreads();
  watchFirstLists();
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
