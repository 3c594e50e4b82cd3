import { readStoredTheme, showTheme } from "./parts/palette-style.ts";

// Inlined in the page: it runs before anything is painted, while the client is still loading.
showTheme(readStoredTheme());
