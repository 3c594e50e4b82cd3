type Route = { method: string; path: string };

/**
 * Finds which methods a path allows, for 405 (RFC 9110, 15.5.6).
 * @returns a function from a path to its methods, none for an unknown path
 */
export function createMethodTable(routes: Route[]): (path: string) => string[] {
  const byPattern = new Map<string, Set<string>>();
  for (const { method, path } of routes) {
    const methods = byPattern.get(path) ?? new Set();
    methods.add(method);
    if (method === "GET") methods.add("HEAD");
    byPattern.set(path, methods);
  }
  const patterns = [...byPattern].map(([path, methods]) => ({
    matches: new RegExp(`^${path.replaceAll(".", "\\.").replace(/:[a-z_]+/g, "[^/]+")}/?$`),
    methods,
  }));
  return (path) => {
    const found = patterns.filter(({ matches }) => matches.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
  };
}
