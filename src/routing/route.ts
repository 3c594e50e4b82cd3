import { largeBody } from "../platform/large-body.ts";
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Code } from "../wire/codes.ts";
import type { Scope } from "../wire/scopes.ts";
import type { Actor } from "./actor.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call a route: everyone (`public`), every person and every bot (`signed-in`), people alone
 * (`person`), site administrators, or, by a scope, every person and the bots whose token has it.
 */
export type Access = "public" | "signed-in" | "person" | "administrator" | Scope;

/**
 * What the caller must be in the room of the path: the rank that the verb asks `rooms/access` for.
 * The refusals of the document and the rows of the access matrix follow from it.
 */
export type RoomNeed = "see" | "member" | "admin" | "owner";

/** An answer that is not JSON. */
export type Media = { media: string; description: string };

/** Answers by status; null for one without a body. */
export type Answers = Record<number, TSchema | Media | null>;

/** A body that the handler reads from the request itself: a form with a file, or a webhook's payload. */
export type OwnBody = "file" | "webhook";

/** `:id` and its like in a path, as strings. */
type ParamNames<Name extends string> = Name extends `${string}:${infer Param}/${infer Rest}`
  ? Param | ParamNames<`/${Rest}`>
  : Name extends `${string}:${infer Param}`
    ? Param
    : never;

export type ParamsOf<Name extends string> = { [Param in ParamNames<Name>]: string };
type StaticOf<Schema, None> = Schema extends TSchema ? Static<Schema> : None;

/** What a handler gets: the caller, and what the request holds, checked against its schemas. */
export type Call<Name extends string = string, Query = unknown, Body = unknown> = {
  /** On a public route, reading any part of it throws. */
  actor: Actor;
  params: ParamsOf<Name>;
  query: Query;
  body: Body;
  request: Request;
  /** Headers of the answer. */
  headers: Headers;
};

/** An answer whose status the handler chooses among those that the route declares. */
export class Answer<Body> {
  constructor(
    readonly status: number,
    readonly body: Body,
  ) {}
}

/** JSON that exists as text already, with status 200. */
export function jsonText(text: string): Response {
  return new Response(largeBody(text), { headers: { "content-type": "application/json" } });
}

/** The JSON that a route may answer with. */
type BodyOf<A extends Answers> = {
  [Status in keyof A]: A[Status] extends TSchema
    ? Static<A[Status]>
    : A[Status] extends null
      ? undefined
      : never;
}[keyof A];
/** A `Response` is for media and for JSON that exists as text already. */
type Result<A extends Answers> =
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a body returns nothing
  (null extends A[keyof A] ? undefined | void : never) | BodyOf<A> | Answer<BodyOf<A>> | Response;

/** All that there is to say of a route. */
export type Declaration<
  Name extends string,
  Q extends TObject | undefined,
  B extends TSchema | OwnBody | undefined,
  A extends Answers,
> = {
  access: Access;
  room?: RoomNeed;
  summary: string;
  description?: string;
  /** Only where a parameter is not an id. */
  params?: Partial<Record<ParamNames<Name>, TSchema>>;
  query?: Q;
  body?: B;
  answers: A;
  /** Refusals of its own; those of its kind are added by `refusalsOf`. */
  errors?: readonly Code[];
  run(
    call: Call<Name, StaticOf<Q, Record<string, never>>, StaticOf<B, undefined>>,
  ): Promise<Result<A>> | Result<A>;
};

export type Route<
  Name extends string = string,
  Q extends TObject | undefined = TObject | undefined,
  B extends TSchema | OwnBody | undefined = TSchema | OwnBody | undefined,
  A extends Answers = Answers,
> = Declaration<Name, Q, B, A> & { name: Name; method: Method; path: string };

/** A route of any shape, as lists of routes hold it. */
// biome-ignore lint/suspicious/noExplicitAny: a handler's call is contravariant; a list holds them all
export type AnyRoute = Omit<Route<string, any, any, any>, "run"> & { run(call: any): unknown };

/** Routes by the tag that the API's description puts them under. */
export type TaggedRoutes = Record<string, readonly AnyRoute[]>;

/**
 * Declares a route once: Elysia's registration, the checks, the OpenAPI document, the 405 table, the
 * access matrix and the clients' types follow from it.
 * @param name method and path, as in `GET /api/rooms/:id`
 */
export function route<
  const Name extends `${Method} /${string}`,
  const A extends Answers,
  Q extends TObject | undefined = undefined,
  B extends TSchema | OwnBody | undefined = undefined,
>(name: Name, declaration: Declaration<Name, Q, B, A>): Route<Name, Q, B, A> {
  const [method, path] = name.split(" ") as [Method, string];
  return { ...declaration, name, method, path };
}

/** The body that a client sends: a form for a file, an object for a webhook's payload. */
type SentBody<B> = B extends "file"
  ? FormData
  : B extends "webhook"
    ? object
    : StaticOf<B, undefined>;
/** What a client receives; bytes and text are a Blob. 304 is left out: only a cache asks for it. */
type ReceivedBody<A extends Answers> = {
  [Status in Exclude<keyof A, 304>]: A[Status] extends Media
    ? Blob
    : BodyOf<Pick<A, Status & keyof A>>;
}[Exclude<keyof A, 304>];

/** What a client sends and receives on a route, by its declaration. */
export type Wire<R> =
  R extends Route<infer Name, infer Q, infer B, infer A>
    ? {
        params: ParamsOf<Name>;
        query: Partial<StaticOf<Q, Record<string, never>>>;
        body: SentBody<B>;
        answer: ReceivedBody<A>;
      }
    : never;
