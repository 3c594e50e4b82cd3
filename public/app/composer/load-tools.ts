import type * as Tools from "./writing-tools.ts";

/** Null until they are loaded: the keys and what is pasted are then left to the browser. */
let tools: typeof Tools | null = null;

export function getWritingTools(): typeof Tools | null {
  return tools;
}

/** Loads what formats and converts. Without it one can still write. */
export function loadWritingTools(): void {
  import("./writing-tools.ts").then(
    (loaded) => {
      tools = loaded;
    },
    () => {},
  );
}
