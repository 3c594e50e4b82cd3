import { render } from "preact";
import { store, watchAddress, watchLanguage, watchPage, watchTheme, watchTitle } from "./app.ts";
import { watchSidebarWidth } from "./parts/sidebar-width.ts";
import { watchKeyboard } from "./watch-keyboard.ts";
import { watchWorker } from "./watch-worker.ts";
import { watchKeys } from "./overlay.ts";
import { App } from "./shell/app.tsx";

watchTheme();
watchSidebarWidth();
watchKeyboard();
watchAddress();
watchTitle();
watchPage();
watchKeys();
watchWorker();
if (RELOAD_PAGES) void import("./reload-on-change.ts").then((it) => it.reloadOnChange());
void store.start();
// Nothing is drawn in a language that is not the reader's.
void watchLanguage().then(() => {
  const root = document.getElementById("app");
  if (root) render(<App />, root);
});
