import { render } from "preact";
import { store, watchAddress, watchPage, watchTheme, watchTitle } from "./app.ts";
import { watchWorker } from "./watch-worker.ts";
import { App } from "./screens/app.tsx";

watchTheme();
watchAddress();
watchTitle();
watchPage();
watchWorker();
const root = document.getElementById("app");
if (root) render(<App />, root);
void store.start();
