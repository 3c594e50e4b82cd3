import { eq, lt, sql } from "drizzle-orm";
import { FLOW_MINUTES } from "../authentication/cookies.ts";
import { checkReauthentication } from "../sign-in/reauthentication.ts";
import { sessionIdOf } from "../authentication/sessions.ts";
import type { Drizzle } from "../database/connect.ts";
import { oidcFlows } from "../database/schema.ts";
import { makeFieldRefusal, Refusal } from "../platform/refusal.ts";
import { sealValue, unsealValue } from "../platform/secrets/sealed.ts";
import { hashToken, randomToken } from "../platform/secrets/secrets.ts";
import type { Actor } from "../routing/actor.ts";
import { connectProvider, type ProviderRow, redirectUri } from "./connection.ts";
import type { ProviderDeps } from "./deps.ts";
import { lockForKey } from "../database/tables.ts";

/** The purpose of the sealed verifier of PKCE (RFC 7636), also used by `secrets rotate`. */
export const FLOW_VERIFIER = "OIDC verifier";

type FlowRow = typeof oidcFlows.$inferSelect;
type Purpose = FlowRow["purpose"];
/** A flow whose browser has returned from the provider. */
export type Flow = Omit<FlowRow, "verifier"> & { verifier: string };

type FlowStart = {
  purpose: Purpose;
  returnTo: string;
  /** The user who connects a provider or reauthenticates; null for a sign-in. */
  actor?: Actor | null;
  /** The token of a signup link, for people without an account. */
  invite?: string | null;
};

/**
 * Starts a flow at a provider.
 * @returns where to send the browser, and the value of the cookie that binds the flow to it
 * @throws Refusal `validation`, `proof_needed`, and what `connectProvider` throws
 */
export async function beginFlow(
  deps: ProviderDeps,
  provider: ProviderRow,
  request: Request,
  { purpose, returnTo, actor = null, invite = null }: FlowStart,
): Promise<{ location: string; browser: string }> {
  const { db } = deps.database;
  if (purpose === "connect" && actor) await checkReauthentication(db, actor);
  const { client, config } = await connectProvider(deps, provider);
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const verifier = client.randomPKCECodeVerifier();
  // Several tabs of a browser share its cookie.
  const cookie = deps.flow.read(request);
  const browser = cookie?.length === 43 ? cookie : randomToken();
  await db.transaction(async (tx) => {
    await lockForKey(tx, oidcFlows);
    await tx.insert(oidcFlows).values({
      stateHash: hashToken(state),
      providerId: provider.id,
      nonce,
      verifier: sealValue(await deps.readKey(), FLOW_VERIFIER, verifier),
      browserHash: hashToken(browser),
      returnTo,
      purpose,
      linkUserId: actor?.id,
      linkSessionId: actor ? sessionIdOf(actor) : null,
      inviteHash: invite === null ? null : hashToken(invite),
      expiresAt: sql`clock_timestamp() + ${FLOW_MINUTES} * interval '1 minute'`,
    });
  });
  const location = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri(provider, deps.baseUrl),
    scope: provider.scopes,
    response_mode: "query",
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    // Forces a new sign-in at the provider, which must then send `auth_time`.
    ...(purpose === "proof" ? { max_age: "0", prompt: "login" } : {}),
  });
  return { location: location.href, browser };
}

/**
 * Deletes the flow when the browser returns, so that it works only once.
 * @throws Refusal `challenge_expired` if it is unknown, used or expired, or belongs to another browser
 */
export async function consumeFlow(
  { database: { db }, readKey, flow }: ProviderDeps,
  provider: ProviderRow,
  request: Request,
  state: string,
): Promise<Flow> {
  const browser = flow.read(request);
  const [row] = await db
    .delete(oidcFlows)
    .where(eq(oidcFlows.stateHash, hashToken(state)))
    .returning();
  const isOwn = browser !== null && row?.browserHash.equals(hashToken(browser));
  if (!row || !isOwn || row.providerId !== provider.id || row.expiresAt.getTime() <= Date.now()) {
    throw new Refusal(
      "challenge_expired",
      "This sign-in took too long or began in another browser.",
    );
  }
  return { ...row, verifier: unsealValue(await readKey(), FLOW_VERIFIER, row.verifier) };
}

/** Checks the page to open after the sign-in: a path of this site. @throws Refusal `validation` */
export function cleanReturnTo(text: string | undefined, fallback: string, baseUrl: string): string {
  if (text === undefined) return fallback;
  const url = URL.parse(text, baseUrl);
  const isPath = text.startsWith("/") && !/[\\\p{Cc}]/u.test(text);
  if (isPath && url?.origin === new URL(baseUrl).origin && !url.pathname.startsWith("/api/")) {
    // `/.//example.org` is a path, but without its dots it is another site.
    const path = url.pathname + url.search + url.hash;
    if (!path.startsWith("//")) return path;
  }
  throw makeFieldRefusal("/return_to", "This must be a path of this site.");
}

export async function deleteExpiredFlows(db: Drizzle): Promise<void> {
  await db.delete(oidcFlows).where(lt(oidcFlows.expiresAt, sql`clock_timestamp()`));
}
