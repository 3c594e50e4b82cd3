import { ApiError, readError } from "../connection/api.ts";
import { store } from "../session/store.ts";
import { startOf } from "./provider-links.tsx";

/**
 * Redirects to a provider to connect it with the account. Checks first whether that is refused or
 * needs reauthentication, so that it is shown here and not on an error page.
 * @throws ApiError
 */
export async function connectProvider(slug: string): Promise<void> {
  const address = `${startOf(slug, "/profile/security")}&connect=1`;
  await store.api.request(async (headers) => {
    const response = await fetch(address, {
      redirect: "manual",
      headers: { ...headers, accept: "application/json" },
    }).catch(() => Promise.reject(new ApiError("offline")));
    // The response is a redirect to the provider, whose address scripts cannot read, so the browser
    // requests it again.
    if (response.type !== "opaqueredirect") throw await readError(response);
  });
  location.assign(address);
}
