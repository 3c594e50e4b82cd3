import {
  type ResponseOf,
  type AnyInput,
  type CallArguments,
  type CallInput,
  fillRoute,
  type ItemOf,
  type ListName,
  type RouteName,
} from "../../../src/snug-client/calls.ts";
import type { Code, FieldError, Problem } from "../../../src/wire/codes.ts";
import type { ProofWay } from "../../../src/wire/sign-in.ts";
import { USER_HEADER } from "../../../src/wire/user-header.ts";
import { type Clock, realClock } from "./clock.ts";

/** Failures that the client detects itself, without a response from the service. */
export type LocalCode =
  | "offline"
  | "not_answering"
  | "broken_off"
  | "not_uploaded"
  | "over_limit"
  | "no_passkey"
  | "passkey_here";

export type Failure = {
  code: Code | LocalCode;
  /** The service's sentence, in English; "" without one. */
  detail: string;
};

/** A refusal of the service, or a request that got no response. */
export class ApiError extends Error implements Failure {
  override readonly name = "ApiError";

  constructor(
    readonly code: Code | LocalCode,
    readonly detail = "",
    readonly status = 0,
    readonly errors: FieldError[] = [],
    /** For `draft_changed`: the draft of another device. */
    readonly draft?: Problem["draft"],
    /** For `proof_needed`: the available ways to reauthenticate. */
    readonly ways: ProofWay[] = [],
    /** For `sections_changed`: the current sections. */
    readonly current?: Problem["current"],
  ) {
    super(detail || code);
  }

  field(name: string): string | undefined {
    return this.errors.find((error) => error.path === `/${name}`)?.message;
  }
}

const TIMEOUT_MS = 20_000;
const FILE_TIMEOUT_MS = 300_000;

/** The part of `fetch` that the client uses. */
export type Fetch = (path: string, init: RequestInit) => Promise<Response>;

/** `keepalive` lets the request finish while the page is being closed. */
export type CallOptions = { signal?: AbortSignal; keepalive?: boolean };

export type Api = {
  /**
   * Calls a route by its name: `api.call("GET /api/rooms/:id", { params: { id } })`.
   * @throws ApiError
   */
  call<Name extends RouteName>(
    route: Name,
    ...args: CallArguments<Name, [options?: CallOptions]>
  ): Promise<ResponseOf<Name>>;
  /**
   * Makes a request that does not call a route, with the same handling of refusals.
   * @param send sends it with these headers, and again after reauthentication
   * @throws ApiError
   */
  request<T>(send: (headers: Record<string, string>) => Promise<T>): Promise<T>;
};

/** How refusals that any call may get are handled. */
export type OnRefusal = {
  /** On `unauthenticated`. */
  signedOut(): void;
  /** On `user_mismatch`: the browser's session belongs to another person now. */
  otherUser?(): void;
  /** On `second_factor_required`: the session is restricted to the sign-in routes. */
  restricted?(): void;
  /** On `proof_needed`. The call is repeated if this resolves to true. */
  prove?(ways: ProofWay[]): Promise<boolean>;
};

type ApiDeps = {
  /** The browser's; tests add an origin and a cookie. */
  fetch: Fetch;
  /** The user for whom the requests are; null until loaded. */
  userId?(): string | null;
  onRefusal: OnRefusal;
  /** Ends a call that gets no response in time. */
  clock?: Clock;
};

export function createApi({
  fetch,
  userId = () => null,
  onRefusal,
  clock = realClock,
}: ApiDeps): Api {
  async function request<T>(
    send: (headers: Record<string, string>) => Promise<T>,
    mayProve = true,
  ): Promise<T> {
    const id = userId();
    const headers: Record<string, string> = id === null ? {} : { [USER_HEADER]: id };
    try {
      return await send(headers);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "unauthenticated") onRefusal.signedOut();
      if (error.code === "user_mismatch") onRefusal.otherUser?.();
      if (error.code === "second_factor_required") onRefusal.restricted?.();
      const isProven =
        mayProve && error.code === "proof_needed" && (await onRefusal.prove?.(error.ways));
      if (!isProven) throw error;
      return send(headers);
    }
  }

  const call = (route: string, input?: AnyInput, options?: CallOptions): Promise<unknown> =>
    request(
      (headers) => callOnce(route, headers, input, options),
      // A failed reauthentication must not open another dialog.
      route !== "POST /api/auth/proof",
    );

  async function callOnce(
    route: string,
    userHeaders: Record<string, string>,
    input: AnyInput = {},
    { keepalive = false, signal }: CallOptions = {},
  ): Promise<unknown> {
    const { method, path } = fillRoute(route, input);
    const { body } = input;
    const isForm = body instanceof FormData;
    const timeout = new AbortController();
    const timeoutMs = isForm ? FILE_TIMEOUT_MS : TIMEOUT_MS;
    const cancelTimeout = clock.after(timeoutMs, () => timeout.abort());
    const init: RequestInit = {
      method,
      // fetch sets the type of a form, with the boundary of its parts.
      headers:
        body && !isForm ? { ...userHeaders, "content-type": "application/json" } : userHeaders,
      body: isForm ? body : body && JSON.stringify(body),
      keepalive,
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
    };
    const createError = () => new ApiError(timeout.signal.aborted ? "not_answering" : "offline");
    try {
      const response = await fetch(path, init).catch(() => Promise.reject(createError()));
      if (response.ok) {
        if (response.status === 204) return undefined;
        return await response.json().catch(() => Promise.reject(createError()));
      }
      throw await readError(response);
    } finally {
      cancelTimeout();
    }
  }
  return { call: call as Api["call"], request };
}

export async function readError(response: Response): Promise<ApiError> {
  try {
    const problem = (await response.json()) as Problem;
    const { code, detail, status, errors, draft, current } = problem;
    const ways = problem.ways as ProofWay[] | undefined;
    return new ApiError(code, detail, status, errors, draft, ways, current);
  } catch {
    // A proxy's error page, for example.
    return new ApiError("not_answering", "", response.status);
  }
}

/** A form with the file as its part `file`. */
export function createForm(file: Blob): FormData {
  const form = new FormData();
  form.append("file", file, "file");
  return form;
}

/** Loads all pages of a list. @throws ApiError */
export async function getAll<Name extends ListName>(
  api: Api,
  route: Name,
  input = {} as CallInput<Name>,
  signal?: AbortSignal,
): Promise<ItemOf<Name>[]> {
  const call = api.call as (
    route: string,
    input: AnyInput,
    options: CallOptions,
  ) => Promise<{ items: ItemOf<Name>[]; next: string | null }>;
  const items: ItemOf<Name>[] = [];
  let cursor: string | undefined;
  do {
    const query = { ...input.query, limit: 200, cursor };
    const page = await call(route, { ...input, query }, { signal });
    items.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return items;
}
