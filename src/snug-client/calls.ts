import type { Routes } from "../http/routes.ts";

/** A route by method and path: `POST /api/rooms/:id/messages`. */
export type RouteName = keyof Routes;
export type ResponseOf<Name extends RouteName> = Routes[Name]["response"];
/** A field of a call: absent, optional or required, as the route declares. */
type Part<Name extends string, Value> = undefined extends Value
  ? { [K in Name]?: Value }
  : Record<string, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };
export type CallInput<Name extends RouteName> = Part<"params", Routes[Name]["params"]> &
  Part<"query", Routes[Name]["query"]> &
  Part<"body", Routes[Name]["body"]>;
/** The arguments of a call after the route; the input is optional if none of its fields is required. */
export type CallArguments<Name extends RouteName, Options extends unknown[] = []> =
  Record<string, never> extends CallInput<Name>
    ? [input?: CallInput<Name>, ...Options]
    : [input: CallInput<Name>, ...Options];
/** The input of any route, for the implementation of the typed calls. */
export type AnyInput = { params?: object; query?: object; body?: object };

/** A route that returns a page of a list. */
export type ListName = {
  [Name in RouteName]: ResponseOf<Name> extends { items: unknown[]; next: string | null }
    ? Name
    : never;
}[RouteName];
export type ItemOf<Name extends ListName> = ResponseOf<Name>["items"][number];

/** The method and path of a route, with params and query filled in. */
export function fillRoute(
  route: string,
  { params = {}, query = {} }: AnyInput,
): { method: string; path: string } {
  const [method = "", pattern = ""] = route.split(" ");
  const path = pattern.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value].flat()) if (item !== undefined) search.append(name, String(item));
  }
  return { method, path: search.size === 0 ? path : `${path}?${search}` };
}

export function fillPath<Name extends RouteName>(
  route: Name,
  input: Omit<CallInput<Name>, "body">,
): string {
  return fillRoute(route, input).path;
}
