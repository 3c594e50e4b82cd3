import { useEffect, useState } from "preact/hooks";
import { store } from "../session/store.ts";

/**
 * Whether the link of a mail is good, before anything is asked for.
 * @param path that checks its token
 */
export function useLink<Found>(path: string, token: string | null) {
  const [found, setFound] = useState<Found | null>(null);
  const [refused, setRefused] = useState<unknown>(null);
  useEffect(() => {
    store.api
      .post<Found>(path, { token: token || "-" })
      .then(setFound)
      .catch(setRefused);
  }, [token]);
  return { found, refused };
}
