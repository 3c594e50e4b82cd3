import href from "../../style/deferred.css" with { type: "file" };

let loading: Promise<void> | null = null;

/**
 * Loads the styles of everything that is not part of the first load, once. A failed attempt is
 * repeated by the next call.
 */
export function loadDeferredStyle(): Promise<void> {
  loading ??= loadStyle().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

function loadStyle(): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`The style sheet ${href} did not load.`));
    };
    document.head.append(link);
  });
}
