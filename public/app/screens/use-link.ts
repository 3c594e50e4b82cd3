import { useEffect, useState } from "preact/hooks";
import { store } from "../app.ts";
import { ApiError } from "../connection/api.ts";

/**
 * Whether the link of a mail is good, before anything is asked for.
 * @param path that checks its token
 */
export function useLink<Found>(path: string, token: string | null) {
  const [found, setFound] = useState<Found | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  useEffect(() => {
    store.api
      .post<Found>(path, { token: token || "-" })
      .then(setFound)
      .catch((error: unknown) =>
        setRefused(error instanceof ApiError ? error.detail : "The link could not be checked."),
      );
  }, [token]);
  return { found, refused };
}
