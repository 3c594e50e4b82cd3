import type { Problem } from "../wire/codes.ts";

/** A refusal of the service. Program against `code`; `message` is for people. */
export class SnugError extends Error {
  override readonly name = "SnugError";

  constructor(readonly problem: Pick<Problem, "code" | "detail"> & { status?: number }) {
    super(problem.detail);
  }

  get code(): string {
    return this.problem.code;
  }
}

/** Where the service is, and who calls. */
export type Account = { url: string; token: string };

/**
 * Calls the REST API. An answer of bytes is a `Blob`, and one without a body is undefined.
 * @throws SnugError, or the error of `fetch`; an `Error` for what no part of the service has answered
 */
export async function callRest(
  { url, token }: Account,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const headers = new Headers({ authorization: `Bearer ${token}` });
  const isForm = body instanceof FormData;
  // fetch sets the type of a form, with the boundary of its parts.
  if (body && !isForm) headers.set("content-type", "application/json");
  const payload = isForm ? body : body && JSON.stringify(body);
  const answer = await fetch(url + path, { method, headers, body: payload });
  if (!answer.headers.get("content-type")?.includes("json")) {
    // A proxy's error page, for example.
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${answer.statusText}`);
    return answer.status === 204 ? undefined : answer.blob();
  }
  const value = await answer.json();
  if (!answer.ok) throw new SnugError(value as Problem);
  return value;
}

/** Reads all items of a list, page by page. */
export async function readAll<T>(
  read: (cursor: string | undefined) => Promise<{ items: T[]; next: string | null }>,
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    items.push(...page.items);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return items;
}
