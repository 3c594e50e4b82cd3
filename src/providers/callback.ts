import { FLOW_MINUTES } from "../accounts/cookie.ts";
import { identifyCallerIfAny } from "../accounts/identify.ts";
import { lockSession, lockUser } from "../accounts/lock-user.ts";
import { makeProofNeeded, mayProveUndated, saveProof } from "../accounts/proof.ts";
import { Refusal } from "../platform/refusal.ts";
import { callerOf } from "../platform/request-info.ts";
import { getLogger } from "../platform/log.ts";
import type { Actor } from "../routing/actor.ts";
import { type SignedIn, startSession, type Waiting } from "../sign-in/login.ts";
import { type Claims, readClaims } from "./claims.ts";
import { CLOCK_SECONDS, connectProvider, type ProviderRow } from "./connection.ts";
import type { ProviderDeps } from "./deps.ts";
import { type Flow, takeFlow } from "./flow.ts";
import { connectIdentity, findIdentity, joinAccount, lockIdentity, noteAuthTime } from "./join.ts";
import { PageRefusal } from "./page-refusal.ts";
import { applyClaims } from "./profile.ts";
import { describeFailure, findEgressError } from "./request.ts";
import { redirectUri } from "./model.ts";

const log = getLogger("sign-in");

/** A provider that is temporarily unable to sign people in answers with this (RFC 6749, 4.1.2.1). */
const UNAVAILABLE = new Set(["server_error", "temporarily_unavailable"]);

/** The result of a sign-in at a provider: a session, a wait for a second factor, or a way back. */
export type Outcome = { flow: Flow; result: SignedIn | Waiting | null };

/**
 * Finishes a flow that began at a provider.
 * @throws Refusal `challenge_expired`, `forbidden` if it was cancelled there, `bad_request` for an
 * invalid answer, `provider_failed` if the provider cannot be reached, and those of `joinAccount`
 */
export async function finishFlow(
  deps: ProviderDeps,
  provider: ProviderRow,
  request: Request,
): Promise<Outcome> {
  const state = new URL(request.url).searchParams.get("state") ?? "";
  const flow = await takeFlow(deps, provider, request, state);
  const claims = await readIdentity(deps, provider, request, flow, state);
  if (flow.purpose === "sign-in") {
    return { flow, result: await signInWith(deps, provider, request, flow, claims) };
  }
  await continueSession(deps, provider, request, flow, claims);
  return { flow, result: null };
}

/** Exchanges the code, and checks all that comes back. */
async function readIdentity(
  deps: ProviderDeps,
  provider: ProviderRow,
  request: Request,
  flow: Flow,
  state: string,
): Promise<Claims> {
  try {
    const { client, config } = await connectProvider(deps, provider);
    const url = new URL(redirectUri(provider, deps.baseUrl));
    url.search = new URL(request.url).search;
    const tokens = await client.authorizationCodeGrant(config, url, {
      pkceCodeVerifier: flow.verifier,
      expectedState: state,
      expectedNonce: flow.nonce,
      idTokenExpected: true,
    });
    const token = tokens.claims();
    if (!token) throw new Error("There is no ID token");
    // In the code flow, addresses and groups may be in the user info alone (OpenID Connect Core,
    // 5.4).
    const isWhole =
      token.email !== undefined &&
      (provider.groupsClaim === null || token[provider.groupsClaim] !== undefined);
    const info =
      isWhole || !config.serverMetadata().userinfo_endpoint
        ? {}
        : await client.fetchUserInfo(config, tokens.access_token, token.sub);
    const claims = readClaims(provider, token, info);
    if (flow.purpose === "proof") checkAuthTime(claims, flow);
    return claims;
  } catch (error) {
    throw toFailure(error, provider);
  }
}

/** A proof is a new sign-in there. */
function checkAuthTime({ authTime }: Claims, { expiresAt }: Flow): void {
  const begun = expiresAt.getTime() / 1_000 - FLOW_MINUTES * 60 - CLOCK_SECONDS;
  if (authTime !== null && authTime < begun) throw new Error("The sign-in there is too old");
}

function toFailure(error: unknown, provider: ProviderRow): Refusal {
  if (error instanceof Refusal) return error;
  const { name, error: said } = error as Error & { error?: string };
  if (name === "AuthorizationResponseError" && said === "access_denied") {
    return new Refusal("forbidden", `The sign-in with ${provider.name} was cancelled.`);
  }
  log.warn("A sign-in with a provider failed.", {
    provider: provider.slug,
    error: describeFailure(error),
  });
  if (findEgressError(error) || UNAVAILABLE.has(said ?? "")) {
    return new Refusal("provider_failed", `${provider.name} cannot be reached. Try again later.`);
  }
  return new Refusal(
    "bad_request",
    `${provider.name} sent an invalid answer. Try again, or tell an administrator.`,
  );
}

function signInWith(
  deps: ProviderDeps,
  provider: ProviderRow,
  request: Request,
  { inviteHash }: Flow,
  claims: Claims,
): Promise<SignedIn | Waiting> {
  const caller = callerOf(request);
  return deps.database.db.transaction(async (tx) => {
    const ip = caller.address;
    const joined = await joinAccount(tx, provider, claims, { ip, inviteHash });
    const user = await applyClaims(tx, provider, claims, joined.user, { ...joined, ip });
    return startSession(deps, tx, user, caller, {
      method: "provider",
      hasSecondFactor: claims.hasSecondFactor,
      provider: { id: provider.id, sid: claims.sid, hours: provider.maxSessionHours },
    });
  });
}

/** Connects an identity with the signed-in account, or accepts it as a proof of who its user is. */
async function continueSession(
  deps: ProviderDeps,
  provider: ProviderRow,
  request: Request,
  flow: Flow,
  claims: Claims,
): Promise<void> {
  const actor = await identifyCallerIfAny(deps.identifier, request);
  if (!isSameSession(actor, flow)) {
    throw new Refusal("unauthenticated", "You were signed out meanwhile. Sign in and try again.");
  }
  const refusal = await deps.database.db.transaction(async (tx) => {
    await lockIdentity(tx, claims);
    const user = await lockUser(tx, { id: actor.id });
    await lockSession(tx, actor);
    if (!user.isActive) throw new Refusal("unauthenticated");
    if (flow.purpose === "connect") {
      await connectIdentity(tx, provider, claims, user);
      return null;
    }
    const known = await findIdentity(tx, claims);
    if (known?.userId !== user.id) {
      throw new Refusal("account_exists", `That is another account of ${provider.name}.`);
    }
    // Where a second factor is on, the sign-in there must have included one.
    if (user.secondFactorAt !== null && !claims.hasSecondFactor) {
      throw await makeProofNeeded(tx, actor);
    }
    await noteAuthTime(tx, known.id, claims);
    if (claims.authTime === null && !(await mayProveUndated(tx, provider, user))) {
      // Returned, so that the note is committed.
      return new PageRefusal(
        "bad_request",
        "undated",
        `${provider.name} did not say when you signed in there, so it does not confirm that it is you. Use your password or a second factor, or sign out and in again.`,
      );
    }
    await saveProof(tx, actor);
    return null;
  });
  if (refusal) throw refusal;
}

function isSameSession(actor: Actor | null, flow: Flow): actor is Actor {
  return actor !== null && actor.id === flow.linkUserId && actor.sessionId === flow.linkSessionId;
}
