/** With a slow network, what is loaded after the first screen does not wait longer for it. */
const LIMIT_MS = 5_000;
/** Nor for the pictures on it. */
const PICTURES_MS = 1_000;

let isReported = false;
const firstScreenReady = Promise.withResolvers<void>();
setTimeout(firstScreenReady.resolve, LIMIT_MS);

/** Resolves once the page shows something to read or to fill in: until then all else would only delay that. */
export const firstScreen = firstScreenReady.promise;

/** Reports that there is something to read or to fill in, or a reason why not; its pictures come first. */
export function showFirstScreen(): void {
  if (isReported) return;
  isReported = true;
  setTimeout(firstScreenReady.resolve, PICTURES_MS);
  requestAnimationFrame(() => {
    const loads = [...document.images].filter(isLoadingInView).map((image) => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      for (const end of ["load", "error"]) image.addEventListener(end, resolve, { once: true });
      return promise;
    });
    void Promise.all(loads).then(() => firstScreenReady.resolve());
  });
}

function isLoadingInView(image: HTMLImageElement): boolean {
  return !image.complete && image.getBoundingClientRect().top < innerHeight;
}
