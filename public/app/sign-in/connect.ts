import { ApiError } from "../connection/api.ts";
import type { Problem } from "../../../src/wire/codes.ts";
import type { ProofWay } from "../../../src/wire/sign-in.ts";
import { askForProof } from "../session/proof.ts";
import { startOf } from "./provider-links.tsx";

/**
 * Leaves for a provider, to connect it with the account. Whether a proof is needed is asked before, so
 * that it is given in a dialog and not on a page of an error.
 * @throws ApiError
 */
export async function connectProvider(slug: string): Promise<void> {
  const address = `${startOf(slug, "/profile/security")}&connect=1`;
  const response = await fetch(address, {
    redirect: "manual",
    headers: { accept: "application/json" },
  }).catch(() => Promise.reject(new ApiError("offline")));
  // A redirect to the provider: its address is not for scripts to see, so it is asked for again.
  if (response.type === "opaqueredirect") return location.assign(address);
  const problem = (await response.json()) as Problem;
  const isProven =
    problem.code === "proof_needed" && (await askForProof((problem.ways ?? []) as ProofWay[]));
  if (!isProven) throw new ApiError(problem.code, problem.detail, response.status);
  location.assign(address);
}
