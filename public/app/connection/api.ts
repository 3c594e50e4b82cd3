import type { Code, FieldError, Problem } from "../../../src/wire/codes.ts";

/** What is known here, without a word of the service: no answer came, or none that could be read. */
export type LocalCode = "offline" | "not_answering" | "broken_off" | "not_uploaded" | "over_limit";

/** What went wrong, as far as it can be told. */
export type Trouble = {
  code: Code | LocalCode;
  /** The service's own words, in English; empty where it said none. */
  detail: string;
};

/** A problem document, or what kept one from coming. */
export class ApiError extends Error implements Trouble {
  override readonly name = "ApiError";

  constructor(
    readonly code: Code | LocalCode,
    readonly detail = "",
    readonly status = 0,
    readonly errors: FieldError[] = [],
  ) {
    super(detail || code);
  }

  /** What is wrong with a field, by its name. */
  field(name: string): string | undefined {
    return this.errors.find((error) => error.path === `/${name}`)?.message;
  }
}

/** How long an answer may take: files that are sent take longer. */
const ANSWER_MS = 20_000;
const FILE_MS = 300_000;

/** `fetch`, as far as it is used. */
export type Send = (path: string, init: RequestInit) => Promise<Response>;

export type Api = {
  get<T>(path: string, signal?: AbortSignal): Promise<T>;
  post<T>(path: string, body?: object): Promise<T>;
  put<T>(path: string, body: object): Promise<T>;
  patch<T>(path: string, body: object): Promise<T>;
  /** As the part `file` of a form. */
  putFile<T>(path: string, file: Blob): Promise<T>;
  /** @param more `keepalive` lets it go out while the page is being closed */
  delete(path: string, more?: { keepalive?: boolean; body?: object }): Promise<void>;
};

/**
 * Talks REST.
 * @param send `fetch`, or one that adds an origin and a cookie in tests
 * @param onSignedOut called when a call is answered with `unauthenticated`
 */
export function createApi(send: Send, onSignedOut: () => void): Api {
  async function call<T>(
    method: string,
    path: string,
    body?: object,
    { keepalive = false, signal }: { keepalive?: boolean; signal?: AbortSignal } = {},
  ): Promise<T> {
    const isForm = body instanceof FormData;
    // A form says by itself where its parts end.
    const headers: Record<string, string> =
      body && !isForm ? { "content-type": "application/json" } : {};
    const sent = isForm ? body : body && JSON.stringify(body);
    const patience = AbortSignal.timeout(isForm ? FILE_MS : ANSWER_MS);
    const init = {
      method,
      headers,
      body: sent,
      keepalive,
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    };
    const fail = () => new ApiError(patience.aborted ? "not_answering" : "offline");
    const response = await send(path, init).catch(() => Promise.reject(fail()));
    if (response.ok) {
      if (response.status === 204) return undefined as T;
      return (await response.json().catch(() => Promise.reject(fail()))) as T;
    }
    const error = await toError(response);
    if (error.code === "unauthenticated") onSignedOut();
    throw error;
  }
  return {
    get: (path, signal) => call("GET", path, undefined, { signal }),
    post: (path, body) => call("POST", path, body),
    put: (path, body) => call("PUT", path, body),
    patch: (path, body) => call("PATCH", path, body),
    putFile(path, file) {
      const form = new FormData();
      form.append("file", file, "file");
      return call("PUT", path, form);
    },
    delete: (path, more) => call("DELETE", path, more?.body, more),
  };
}

async function toError(response: Response): Promise<ApiError> {
  try {
    const problem = (await response.json()) as Problem;
    return new ApiError(problem.code, problem.detail, problem.status, problem.errors);
  } catch {
    // A proxy's own page, say.
    return new ApiError("not_answering", "", response.status);
  }
}

/** Reads a paged list to its end. */
export async function getAll<T>(api: Api, path: string, signal?: AbortSignal): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page: { items: T[]; next: string | null } = await api.get(
      `${path}?limit=200${query}`,
      signal,
    );
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
}
