import type { JWTVerifyGetKey } from "jose";
import type { ServerMetadata } from "openid-client";
import { FLOW_MINUTES } from "../authentication/cookies.ts";
import { authenticateCallerIfAny } from "../authentication/guard.ts";
import { getLogger } from "../platform/log.ts";
import { Refusal } from "../platform/refusal.ts";
import { callerOf } from "../platform/http/request-info.ts";
import { type NewSession, startSession, type PendingSecondFactor } from "../sign-in/login.ts";
import {
  makeReauthenticationRefusal,
  countsWithoutAuthTime,
  saveReauthentication,
} from "../sign-in/reauthentication.ts";
import { lockOwnAccount } from "../sign-in/second-factor.ts";
import { type Claims, hasEmail, isComplete, type RawClaims, readClaims } from "./claims.ts";
import {
  CLOCK_SECONDS,
  type Connection,
  connectProvider,
  createKeys,
  type ProviderRow,
  redirectUri,
} from "./connection.ts";
import type { ProviderDeps } from "./deps.ts";
import { type Flow, consumeFlow } from "./flow.ts";
import { connectIdentity, findIdentity, joinAccount, lockIdentity, saveAuthTime } from "./join.ts";
import { PageRefusal } from "./pages.ts";
import { applyClaims } from "./profile.ts";
import {
  createProviderFetch,
  describeFailure,
  findEgressError,
  readJsonObject,
} from "./request.ts";

const log = getLogger("sign-in");

/** Error codes of a provider that temporarily cannot sign people in (RFC 6749, 4.1.2.1). */
const UNAVAILABLE = new Set(["server_error", "temporarily_unavailable"]);

/** `result` is null after connecting a provider or reauthenticating. */
export type Outcome = { flow: Flow; result: NewSession | PendingSecondFactor | null };

/**
 * Finishes a flow when the provider sends the browser back.
 * @throws Refusal `challenge_expired`, `forbidden` if the user cancelled, `bad_request` for an
 * invalid response, `provider_failed` if the provider cannot be reached, and those of `joinAccount`
 */
export async function finishFlow(
  deps: ProviderDeps,
  provider: ProviderRow,
  request: Request,
): Promise<Outcome> {
  const state = new URL(request.url).searchParams.get("state") ?? "";
  const flow = await consumeFlow(deps, provider, request, state);
  const claims = await readIdentity(deps, provider, request, flow, state);
  if (flow.purpose === "sign-in") {
    return { flow, result: await signInWith(deps, provider, request, flow, claims) };
  }
  await continueSession(deps, provider, request, flow, claims);
  return { flow, result: null };
}

async function readIdentity(
  deps: ProviderDeps,
  provider: ProviderRow,
  request: Request,
  flow: Flow,
  state: string,
): Promise<Claims> {
  try {
    const connection = await connectProvider(deps, provider);
    const metadata = connection.config.serverMetadata();
    const url = new URL(redirectUri(provider, deps.baseUrl));
    url.search = new URL(request.url).search;
    const { verifier } = flow;
    const { idToken, accessToken } = await exchangeCode(connection, url, { verifier, state });
    const keys = await createKeys(deps, metadata);
    const token = await checkIdToken(idToken, keys, metadata, provider, flow);
    const exchange = { provider, metadata, keys, token, accessToken };
    const info = await readUserInfo(deps, exchange).catch((error) => {
      return skipUserInfo(provider, token, error);
    });
    const claims = readClaims(provider, token, info);
    if (flow.purpose === "proof") checkAuthTime(claims, flow);
    return claims;
  } catch (error) {
    throw toFailure(error, provider);
  }
}

/** Continues without user info if the ID token has an email address. */
function skipUserInfo(provider: ProviderRow, token: RawClaims, error: unknown): null {
  if (!hasEmail(token)) throw error;
  log.warn("User info of a provider could not be read; signing in with the ID token alone.", {
    provider: provider.slug,
    error: describeFailure(error),
  });
  return null;
}

/** Reauthentication requires a new sign-in at the provider. */
function checkAuthTime({ authTime }: Claims, { expiresAt }: Flow): void {
  const startedAt = expiresAt.getTime() / 1_000 - FLOW_MINUTES * 60 - CLOCK_SECONDS;
  if (authTime !== null && authTime < startedAt) throw new Error("The sign-in there is too old");
}

function toFailure(error: unknown, provider: ProviderRow): Refusal {
  if (error instanceof Refusal) return error;
  const { name, error: code } = error as Error & { error?: string };
  if (name === "AuthorizationResponseError" && code === "access_denied") {
    return new Refusal("forbidden", `The sign-in with ${provider.name} was cancelled.`);
  }
  log.warn("Sign-in with a provider failed.", {
    provider: provider.slug,
    error: describeFailure(error),
  });
  if (findEgressError(error) || UNAVAILABLE.has(code ?? "")) {
    return new Refusal("provider_failed", `${provider.name} cannot be reached. Try again later.`);
  }
  return new Refusal(
    "bad_request",
    `${provider.name} sent an invalid response. Try again, or tell an administrator.`,
  );
}

function signInWith(
  deps: ProviderDeps,
  provider: ProviderRow,
  request: Request,
  { inviteHash }: Flow,
  claims: Claims,
): Promise<NewSession | PendingSecondFactor> {
  const caller = callerOf(request);
  return deps.database.db.transaction(async (tx) => {
    const ip = caller.address;
    const join = await joinAccount(tx, provider, claims, { ip, inviteHash });
    const user = await applyClaims(tx, provider, claims, join.user, { ...join, ip });
    return startSession(deps, tx, user, caller, {
      method: "provider",
      hasSecondFactor: claims.hasSecondFactor,
      provider: { id: provider.id, sid: claims.sid, hours: provider.maxSessionHours },
    });
  });
}

async function continueSession(
  deps: ProviderDeps,
  provider: ProviderRow,
  request: Request,
  flow: Flow,
  claims: Claims,
): Promise<void> {
  const actor = await authenticateCallerIfAny(deps.authenticator, request);
  if (!actor || actor.id !== flow.linkUserId || actor.sessionId !== flow.linkSessionId) {
    throw new Refusal(
      "unauthenticated",
      "You were signed out in the meantime. Sign in and try again.",
    );
  }
  const refusal = await deps.database.db.transaction(async (tx) => {
    await lockIdentity(tx, claims);
    const user = await lockOwnAccount(tx, actor);
    if (flow.purpose === "connect") {
      await connectIdentity(tx, provider, claims, user);
      return null;
    }
    const identity = await findIdentity(tx, claims);
    if (identity?.userId !== user.id) {
      throw new Refusal(
        "account_exists",
        `That is not the ${provider.name} account connected to yours.`,
      );
    }
    // If the account has a second factor, the sign-in at the provider must have included one.
    if (user.secondFactorAt !== null && !claims.hasSecondFactor) {
      throw await makeReauthenticationRefusal(tx, actor);
    }
    await saveAuthTime(tx, identity.id, claims);
    if (claims.authTime === null && !(await countsWithoutAuthTime(tx, provider, user))) {
      // Returned instead of thrown, so that `saveAuthTime` is committed.
      return new PageRefusal(
        "bad_request",
        "undated",
        `${provider.name} did not say when you signed in there, so this does not confirm that it is you. Use your password or a second factor, or sign out and sign in again.`,
      );
    }
    await saveReauthentication(tx, actor);
    return null;
  });
  if (refusal) throw refusal;
}

type Tokens = {
  /** Null if the provider returned none, or one that cannot be used. */
  accessToken: string | null;
  idToken: string;
};

/**
 * Exchanges the code from the callback for tokens. The other fields of the response (`refresh_token`, `scope`,
 * `expires_in`) are ignored, so that a mistake in them cannot fail a sign-in.
 * @throws the library's errors, and EgressError as a cause
 */
async function exchangeCode(
  { client, config }: Connection,
  url: URL,
  { verifier, state }: { verifier: string; state: string },
): Promise<Tokens> {
  let fields: RawClaims = {};
  const send = config[client.customFetch];
  if (!send) throw new Error("The connection has no fetch");
  config[client.customFetch] = async (...request) => {
    const response = await send(...request);
    if (response.status !== 200) return response;
    fields = readJsonObject(await response.text());
    // The library requires a valid response; `checkIdToken` checks the real one.
    return Response.json({ access_token: "unused", token_type: "bearer" });
  };
  await client.authorizationCodeGrant(config, url, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  const { id_token, access_token } = fields;
  if (typeof id_token !== "string") throw new Error("The response has no ID token");
  return { idToken: id_token, accessToken: typeof access_token === "string" ? access_token : null };
}

/** OpenID Connect Core, 3.1.3.7. @throws Error, also those of jose */
async function checkIdToken(
  token: string,
  keys: JWTVerifyGetKey,
  metadata: ServerMetadata,
  { clientId }: ProviderRow,
  { nonce }: Flow,
): Promise<RawClaims> {
  const { jwtVerify } = await import("jose");
  const { payload } = await jwtVerify(token, keys, {
    audience: clientId,
    clockTolerance: CLOCK_SECONDS,
    requiredClaims: ["iss", "sub", "exp", "iat", "nonce"],
  });
  if (payload.iss !== metadata.issuer) {
    throw new Error(`The ID token is from the issuer ${payload.iss}, not ${metadata.issuer}`);
  }
  if (payload.nonce !== nonce) throw new Error("The ID token has another nonce");
  const isShared = Array.isArray(payload.aud) && payload.aud.length > 1;
  if (isShared && payload.azp !== clientId)
    throw new Error("The ID token is for another client, too");
  return payload;
}

type UserInfoRequest = {
  provider: ProviderRow;
  metadata: ServerMetadata;
  keys: JWTVerifyGetKey;
  token: RawClaims;
  accessToken: string | null;
};

/**
 * Requests user info if the ID token lacks the email address or the groups: in the code flow a provider may
 * send them only there (OpenID Connect Core, 5.4).
 * @throws Error if the response cannot be used
 */
async function readUserInfo(
  { egress, discovery }: Pick<ProviderDeps, "egress" | "discovery">,
  { provider, metadata, keys, token, accessToken }: UserInfoRequest,
): Promise<RawClaims> {
  const { userinfo_endpoint: address } = metadata;
  if (isComplete(provider, token) || typeof address !== "string") return {};
  if (accessToken === null)
    throw new Error("There is no access token with which to request user info");
  const isSecure = URL.parse(address)?.protocol === "https:";
  if (!isSecure && !provider.issuer.startsWith("http:")) {
    throw new Error("Its userinfo_endpoint is not an https address");
  }
  const response = await createProviderFetch(egress, discovery.timeoutMs)(address, {
    headers: {
      authorization: `Bearer ${accessToken}`,
      accept: "application/json, application/jwt",
    },
  });
  if (response.status !== 200) throw new Error(`User info responds with ${response.status}`);
  const text = (await response.text()).trim();
  const info = text.startsWith("{")
    ? readJsonObject(text)
    : await readSigned(text, keys, metadata, provider);
  // Otherwise an attacker could substitute someone else's user info (5.3.2).
  if (info.sub !== token.sub) throw new Error("User info has another sub than the ID token");
  return info;
}

/** Signed user info should name its issuer and audience (5.3.2): they may be missing, but not wrong. */
async function readSigned(
  text: string,
  keys: JWTVerifyGetKey,
  { issuer }: ServerMetadata,
  { clientId }: ProviderRow,
): Promise<RawClaims> {
  const { jwtVerify } = await import("jose");
  const { payload } = await jwtVerify(text, keys, { clockTolerance: CLOCK_SECONDS });
  const { iss, aud } = payload;
  if (iss !== undefined && iss !== issuer) {
    throw new Error(`User info is from the issuer ${iss}, not ${issuer}`);
  }
  if (aud !== undefined && ![aud].flat().includes(clientId)) {
    throw new Error("User info is for another audience");
  }
  return payload;
}
