import { render } from "preact";
import { watchKeys } from "./session/keys.ts";
import { watchLanguage } from "./session/chosen-language.ts";
import { watchAddress } from "./session/navigation.ts";
import { watchKeyboard, watchPage, watchPerson, watchTitle } from "./session/page.ts";
import { watchDrafts } from "./session/write-draft.ts";
import { store } from "./session/store.ts";
import { firstScreenShown } from "./parts/first-screen.ts";
import { leaveKeysToInputMethods } from "./parts/input-method.ts";
import { requestRest, restLoaded } from "./parts/load-rest.tsx";
import { watchSidebarWidth } from "./parts/sidebar-width.ts";
import { reloadOnChange } from "./reload-on-change.ts";
import { App } from "./shell/app.tsx";
import { watchFirstLists } from "./session/personal-signals.ts";

leaveKeysToInputMethods();

function start(): void {
  watchSidebarWidth();
  watchAddress();
  watchTitle();
  watchPage();
  watchPerson();
  watchDrafts();
  // Watch from the start, so that keys pressed before their code has loaded are replayed.
  watchKeyboard();
  watchKeys();
  if (RELOAD_PAGES) reloadOnChange();
  void firstScreenShown.then(requestRest);
  // Until `rest.ts` is loaded, drafts stay on this device.
  void Promise.all([restLoaded, firstScreenShown]).then(([rest]) => rest.startLater());
  watchFirstLists();
  void store.start();
  // Nothing is rendered before the words of the reader's language are loaded.
  void watchLanguage().then(() => {
    const root = document.getElementById("app");
    if (root) render(<App />, root);
  });
}

// If the browser lacks a feature, the inline script has shown a message.
if (!document.documentElement.dataset.lack) start();
