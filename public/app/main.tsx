import { render } from "preact";
import { watchLanguage } from "./session/language.ts";
import { watchAddress } from "./session/navigation.ts";
import { watchPage, watchTheme, watchTitle } from "./session/page.ts";
import { watchDrafts } from "./session/sidebar.ts";
import { store } from "./session/store.ts";
import { watchSidebarWidth } from "./parts/sidebar-width.ts";
import { watchKeyboard } from "./session/keyboard.ts";
import { watchServiceWorker } from "./session/service-worker.ts";
import { watchKeys } from "./session/keys.ts";
import { App } from "./shell/app.tsx";

watchTheme();
watchSidebarWidth();
watchKeyboard();
watchAddress();
watchTitle();
watchPage();
watchKeys();
watchServiceWorker();
watchDrafts();
if (RELOAD_PAGES) void import("./reload-on-change.ts").then((it) => it.reloadOnChange());
void store.start();
// Nothing is rendered before the words of the reader's language are loaded.
void watchLanguage().then(() => {
  const root = document.getElementById("app");
  if (root) render(<App />, root);
});
