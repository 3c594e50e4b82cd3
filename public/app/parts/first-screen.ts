/** With a slow network, what is loaded after the first screen does not wait longer for it. */
const LIMIT_MS = 5_000;

const shown = Promise.withResolvers<void>();
setTimeout(shown.resolve, LIMIT_MS);

/** Resolves once the page shows something to read or to fill in: until then all else would only delay that. */
export const firstScreen = shown.promise;

/** Says that there is something to read, to fill in, or a reason why not. */
export function showFirstScreen(): void {
  shown.resolve();
}
