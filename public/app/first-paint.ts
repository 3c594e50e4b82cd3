import { keptTheme, showTheme } from "./parts/palette-style.ts";

// Stands in the page itself: it runs before anything is painted, while the client is still loading.
showTheme(keptTheme());
