import type { Problem } from "../../../src/wire/codes.ts";
import { ApiError } from "./api.ts";

type SendOptions = {
  headers: Record<string, string>;
  /** @param share 0 to 1 */
  onProgress(share: number): void;
  signal: AbortSignal;
};

/** Uploads a file. Rejects with an `ApiError`. */
export type SendFile = (path: string, file: File, options: SendOptions) => Promise<unknown>;

/** Uses XMLHttpRequest, because `fetch` does not report the progress of uploads. */
export const sendFile: SendFile = (path, file, { headers, onProgress, signal }) => {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const request = new XMLHttpRequest();
  request.open("POST", path);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.responseType = "json";
  request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
  request.onload = () => {
    if (request.status === 201) resolve(request.response);
    else reject(toError(request.status, request.response as Problem | null));
  };
  request.onerror = () => reject(new ApiError("broken_off"));
  request.onabort = () => reject(new DOMException("Cancelled.", "AbortError"));
  signal.addEventListener("abort", () => request.abort(), { once: true });
  const form = new FormData();
  form.append("file", file, file.name);
  request.send(form);
  return promise;
};

function toError(status: number, problem: Problem | null): ApiError {
  if (problem) return new ApiError(problem.code, problem.detail, status, problem.errors);
  // A proxy's error page, for example.
  return new ApiError(status === 413 ? "over_limit" : "not_uploaded", "", status);
}
