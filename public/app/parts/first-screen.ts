/** On a slow network, the code after the first screen waits at most this long for it. */
const LIMIT_MS = 5_000;
/** The same for the first screen's pictures. */
const PICTURES_MS = 1_000;

let isReported = false;
const screenShown = Promise.withResolvers<void>();
setTimeout(screenShown.resolve, LIMIT_MS);

/**
 * Resolves once the page shows something to read or to fill in; other requests should not delay
 * that.
 */
export const firstScreenShown = screenShown.promise;

/**
 * Call when the page shows something to read or fill in, or an error. Its pictures are waited for.
 */
export function reportFirstScreen(): void {
  if (isReported) return;
  isReported = true;
  setTimeout(screenShown.resolve, PICTURES_MS);
  requestAnimationFrame(() => {
    const loads = [...document.images].filter(isLoadingInView).map((image) => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      for (const end of ["load", "error"]) image.addEventListener(end, resolve, { once: true });
      return promise;
    });
    // Browsers show a frame up to two frames later; until then nothing is requested.
    void Promise.all(loads)
      .then(nextFrame)
      .then(nextFrame)
      .then(() => screenShown.resolve());
  });
}

const nextFrame = () => new Promise(requestAnimationFrame);

function isLoadingInView(image: HTMLImageElement): boolean {
  return !image.complete && image.getBoundingClientRect().top < innerHeight;
}
