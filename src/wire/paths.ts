const SERVER_PATH = /^\/(?:api|docs|hooks|ws|metrics|healthz|readyz|\.well-known)(?:\/|$)/;

/** Whether the path belongs to the service. All other paths belong to the client: its pages and assets. */
export function isServerPath(path: string): boolean {
  return SERVER_PATH.test(path);
}
