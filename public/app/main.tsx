import { render } from "preact";
import { store, watchAddress, watchPage, watchTheme, watchTitle } from "./app.ts";
import { watchWorker } from "./watch-worker.ts";
import { watchKeys } from "./overlay.ts";
import { App } from "./screens/app.tsx";

watchTheme();
watchAddress();
watchTitle();
watchPage();
watchKeys();
watchWorker();
const root = document.getElementById("app");
if (root) render(<App />, root);
void store.start();
