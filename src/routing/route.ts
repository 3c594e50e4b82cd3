import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Code } from "../wire/codes.ts";
import type { Scope } from "../wire/scopes.ts";
import type { Actor } from "./actor.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call a route: everyone (`public`), people and bots (`signed-in`), people only (`person`), site
 * administrators, or, with a scope, people and the bots whose token has that scope.
 */
export type Access = "public" | "signed-in" | "person" | "administrator" | Scope;

/**
 * The role that the caller needs in the room of the path, which the handler checks with `rooms/access`.
 * The documented refusals and the rows of the access matrix are derived from it.
 */
export type RoomNeed = "see" | "member" | "admin" | "owner";

/**
 * Whether a route grants or revokes access and therefore requires reauthentication within the last ten
 * minutes. `required` is checked before the handler; `by-handler` is for requests that may reauthenticate
 * by themselves. This is the only list of such routes.
 */
type Reauthentication = "required" | "by-handler" | "none";

/** A response that is not JSON. */
export type Media = { media: string; description: string };

/** Responses by status; null for one without a body. */
export type Responses = Record<number, TSchema | Media | null>;

/** A body read by the handler: a form with a file, or a webhook's payload. */
type OwnBody = "file" | "webhook";

/** The names of a path's parameters, such as `:id`. */
type ParamNames<Name extends string> = Name extends `${string}:${infer Param}/${infer Rest}`
  ? Param | ParamNames<`/${Rest}`>
  : Name extends `${string}:${infer Param}`
    ? Param
    : never;

type ParamsOf<Name extends string> = { [Param in ParamNames<Name>]: string };
/** Not `Static`, whose intersection with a parameter is too deep for the TypeScript compiler here. */
type StaticOf<Schema, None> = Schema extends TSchema ? Schema["static"] : None;

/** The input of a handler: the caller, and the request's parameters, validated against the schemas. */
type Call<Name extends string = string, Query = unknown, Body = unknown> = {
  /** On a public route, reading any of its properties throws. */
  actor: Actor;
  params: ParamsOf<Name>;
  query: Query;
  body: Body;
  request: Request;
  /** Headers of the response; handlers set cookies here. */
  headers: Headers;
};

/** A response with a status that the handler chooses among the declared ones. */
export class Reply<Body> {
  constructor(
    readonly status: number,
    readonly body: Body,
  ) {}
}

type BodyOf<A extends Responses> = {
  [Status in keyof A]: A[Status] extends TSchema
    ? Static<A[Status]>
    : A[Status] extends null
      ? undefined
      : never;
}[keyof A];
/** A handler returns a `Response` for media, and for cached JSON (`jsonResponse`). */
type Result<A extends Responses> =
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a body returns nothing
  (null extends A[keyof A] ? undefined | void : never) | BodyOf<A> | Reply<BodyOf<A>> | Response;

type Declaration<
  Name extends string,
  Q extends TObject | undefined,
  B extends TSchema | OwnBody | undefined,
  A extends Responses,
> = { access: Access } & Details<Name, Q, B, A>;

type Details<
  Name extends string,
  Q extends TObject | undefined,
  B extends TSchema | OwnBody | undefined,
  A extends Responses,
> = {
  room?: RoomNeed;
  /** Every route by which administrators change something declares this. */
  reauthentication?: Reauthentication;
  summary: string;
  description?: string;
  /**
   * Time limit in seconds, after which the response is 503; 14 by default. Longer only for handlers
   * that wait for another server. Does not include reading a JSON body, but includes reading a
   * webhook's payload. A handler that reads a file has no limit.
   */
  maxSeconds?: number;
  /** Only for parameters that are not ids. */
  params?: Partial<Record<ParamNames<Name>, TSchema>>;
  /** Request headers that the handler reads, for the API's description. */
  headers?: TObject;
  query?: Q;
  body?: B;
  responses: A;
  /** The route's own refusals; `refusalsOf` adds those implied by the declaration. */
  errors?: readonly Code[];
  handler(
    call: Call<Name, StaticOf<Q, Record<string, never>>, StaticOf<B, undefined>>,
  ): Promise<Result<A>> | Result<A>;
};

type Route<
  Name extends string = string,
  Q extends TObject | undefined = TObject | undefined,
  B extends TSchema | OwnBody | undefined = TSchema | OwnBody | undefined,
  A extends Responses = Responses,
> = Declaration<Name, Q, B, A> & { name: Name; method: Method; path: string };

// biome-ignore lint/suspicious/noExplicitAny: a handler's parameter is contravariant
type AnyDeclared = Route<string, any, any, any>;

/** For lists of routes with different types. */
export type AnyRoute = Omit<AnyDeclared, "handler"> & {
  handler(call: Parameters<AnyDeclared["handler"]>[0]): unknown;
};

export type TaggedRoutes = Record<string, readonly AnyRoute[]>;

/**
 * Declares a route. Its path in Elysia, the checks, the OpenAPI document, the 405 responses, the access
 * matrix and the clients' types are derived from the declaration.
 * @param name method and path, as in `GET /api/rooms/:id`
 */
export function route<
  const Name extends `${Method} /${string}`,
  const A extends Responses,
  Q extends TObject | undefined = undefined,
  B extends TSchema | OwnBody | undefined = undefined,
>(name: Name, declaration: Declaration<Name, Q, B, A>): Route<Name, Q, B, A> {
  const [method, path] = name.split(" ") as [Method, string];
  return { ...declaration, name, method, path };
}

export function adminRoute<
  const Name extends `${Method} /${string}`,
  const A extends Responses,
  Q extends TObject | undefined = undefined,
  B extends TSchema | OwnBody | undefined = undefined,
>(name: Name, details: Details<Name, Q, B, A>): Route<Name, Q, B, A> {
  return route(name, { ...details, access: "administrator" });
}

/** The body that a client sends: a form for a file, an object for a webhook's payload. */
type SentBody<B> = B extends "file"
  ? FormData
  : B extends "webhook"
    ? object
    : StaticOf<B, undefined>;
/** The body that a client receives; a Blob for media. Excludes 304, which only caches request. */
type ReceivedBody<A extends Responses> = {
  [Status in Exclude<keyof A, 304>]: A[Status] extends Media
    ? Blob
    : BodyOf<Pick<A, Status & keyof A>>;
}[Exclude<keyof A, 304>];

export type Wire<R> =
  R extends Route<infer Name, infer Q, infer B, infer A>
    ? {
        params: ParamsOf<Name>;
        query: Partial<StaticOf<Q, Record<string, never>>>;
        body: SentBody<B>;
        response: ReceivedBody<A>;
      }
    : never;
