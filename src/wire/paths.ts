const SERVER_PATH = /^\/(?:api|docs|hooks|ws|metrics|healthz|readyz|\.well-known)(?:\/|$)/;

/** Whether the service answers this path itself. All other paths are the client's: its pages and assets. */
export function isServerPath(path: string): boolean {
  return SERVER_PATH.test(path);
}
