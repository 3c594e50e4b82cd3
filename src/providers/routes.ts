import { Type as t } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { arePasswordsOff } from "../sign-in/lockout.ts";
import { authenticateCaller, authenticateCallerIfAny } from "../authentication/guard.ts";
import { rememberBrowser } from "../sign-in/limits.ts";
import type { Query } from "../database/connect.ts";
import { identityProviders } from "../database/schema.ts";
import { checkSignup } from "../invites/signup.ts";
import { isForeign } from "../platform/http/origin.ts";
import { Refusal } from "../platform/refusal.ts";
import { callerOf } from "../platform/http/request-info.ts";
import { limitedNetwork } from "../platform/networks.ts";
import { countAttempt, limitFailures } from "../rate-limits/rate-limits.ts";
import { readBody } from "../routing/input.ts";
import { route } from "../routing/route.ts";
import { PROVIDER_SLUG_PATTERN } from "../wire/patterns.ts";
import { Page } from "../wire/models.ts";
import { PageQuery } from "../wire/queries.ts";
import { LinkToken } from "../wire/requests.ts";
import { Identity } from "../wire/sign-in.ts";
import { endByLogoutToken } from "./backchannel.ts";
import { finishFlow } from "./callback.ts";
import type { ProviderRow } from "./connection.ts";
import type { ProviderDeps } from "./deps.ts";
import { beginFlow, cleanReturnTo } from "./flow.ts";
import { listIdentities, removeIdentity } from "./identities.ts";
import { failurePage, wantsPage } from "./pages.ts";
import { toStartRefusal } from "./request.ts";

const Slug = t.String({ pattern: PROVIDER_SLUG_PATTERN });
const Flag = t.Optional(t.Literal("1"));
const PAGE = { media: "text/html", description: "A page that says what went wrong" };
const INVALID_TOKEN_RESPONSE = {
  media: "application/problem+json",
  description: "The token is not valid",
};
const MAX_STARTS = 600;
const MAX_BAD_TOKENS = 30;
const MAX_TOKEN_BYTES = 64 * 1024;
const PROFILE = "/profile/security";
const SIGN_IN = "/signin";

/** Four requests of at most 8 seconds each: metadata, token, keys and user info. */
const PROVIDER_SECONDS = 40;

/** Sign-in at a provider (OpenID Connect), and the caller's identities. */
export const providerRoutes = (deps: ProviderDeps) => {
  const { authenticator, challenge, flow: flowCookie, baseUrl } = deps;
  const { db } = deps.database;
  const limitStarts = (request: Request) => {
    const key = `oidc-start:${limitedNetwork(callerOf(request).address)}`;
    return countAttempt(db, [{ key, max: MAX_STARTS, minutes: 15 }]);
  };
  const fail = async (refusal: Refusal, request: Request, back: string) =>
    failurePage(refusal, request, { back, isOnly: await arePasswordsOff(db) });
  return [
    route("GET /api/auth/oidc/:slug/start", {
      maxSeconds: PROVIDER_SECONDS,
      access: "public",
      summary: "Go to a provider to sign in, to connect it, or to reauthenticate",
      description:
        "`connect=1` connects the caller's account, which needs reauthentication; with `proof=1` the sign-in there is one. Errors are pages for browsers, problem documents for programs.",
      params: { slug: Slug },
      query: t.Object({
        return_to: t.Optional(t.String({ maxLength: 2_048, description: "A path of this site" })),
        connect: Flag,
        proof: Flag,
      }),
      responses: { 302: null },
      errors: [
        "not_found",
        "unauthenticated",
        "invalid_token",
        "user_mismatch",
        "proof_needed",
        "rate_limited",
        "provider_failed",
      ],
      handler: async ({ params, query, request, headers }) => {
        const isOwn = query.connect !== undefined || query.proof !== undefined;
        try {
          await limitStarts(request);
          const provider = await findProvider(db, params.slug);
          const purpose = query.connect ? "connect" : query.proof ? "proof" : "sign-in";
          const returnTo = cleanReturnTo(query.return_to, isOwn ? PROFILE : "/", baseUrl);
          // A link on another site must not connect an identity with its visitor's account.
          if (isOwn && isForeign(request, baseUrl)) throw new Refusal("cross_origin");
          const actor = isOwn ? await authenticateCaller(authenticator, request) : null;
          const flow = await beginFlow(deps, provider, request, { purpose, returnTo, actor });
          headers.append("set-cookie", flowCookie.write(flow.browser));
          return redirect(flow.location);
        } catch (error) {
          const refusal = toStartRefusal(error, params.slug);
          if (!wantsPage(request)) throw refusal;
          return fail(refusal, request, isOwn ? PROFILE : SIGN_IN);
        }
      },
    }),
    route("POST /api/auth/oidc/:slug/start", {
      maxSeconds: PROVIDER_SECONDS,
      access: "public",
      summary: "Go to a provider with a signup link, to create an account by signing in there",
      params: { slug: Slug },
      body: LinkToken,
      responses: { 200: t.Object({ redirect: t.String({ description: "The address to open" }) }) },
      errors: ["not_found", "link_not_found", "link_expired", "rate_limited", "provider_failed"],
      async handler({ params, body, request, headers }) {
        await limitStarts(request);
        const provider = await findProvider(db, params.slug);
        const { kind } = await checkSignup(db, body.token);
        if (kind === "first") throw new Refusal("link_not_found", "Choose a password first.");
        const start = { purpose: "sign-in", returnTo: "/", invite: body.token } as const;
        const flow = await beginFlow(deps, provider, request, start).catch((error) => {
          throw toStartRefusal(error, params.slug);
        });
        headers.append("set-cookie", flowCookie.write(flow.browser));
        return { redirect: flow.location };
      },
    }),
    route("GET /api/auth/oidc/:slug/callback", {
      maxSeconds: PROVIDER_SECONDS,
      access: "public",
      summary: "Return from a provider",
      description: "The provider sends browsers here. Errors are pages.",
      params: { slug: Slug },
      responses: { 302: null, 400: PAGE, 401: PAGE, 403: PAGE, 404: PAGE, 409: PAGE, 502: PAGE },
      handler: async ({ params, request, headers }) => {
        try {
          const provider = await findProvider(db, params.slug);
          const { flow, result } = await finishFlow(deps, provider, request);
          if (result && "token" in result) {
            headers.append("set-cookie", authenticator.cookie.write(result.token));
            headers.append("set-cookie", await rememberBrowser(deps, request, result.user.id));
          }
          if (result && "challenge" in result) {
            headers.append("set-cookie", challenge.write(result.challenge));
            const query = new URLSearchParams({ second: "1", return_to: flow.returnTo });
            return redirect(`/signin?${query}`);
          }
          return redirect(flow.returnTo);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          const actor = await authenticateCallerIfAny(authenticator, request).catch(() => null);
          return fail(error, request, actor ? PROFILE : SIGN_IN);
        }
      },
    }),
    route("POST /api/auth/oidc/:slug/backchannel-logout", {
      maxSeconds: PROVIDER_SECONDS,
      access: "public",
      summary: "End sessions with a logout token of the provider",
      description:
        "OpenID Connect Back-Channel Logout 1.0: a form with `logout_token`, which works once.",
      params: { slug: Slug },
      body: "webhook",
      responses: {
        200: null,
        400: INVALID_TOKEN_RESPONSE,
        404: INVALID_TOKEN_RESPONSE,
        429: INVALID_TOKEN_RESPONSE,
      },
      async handler({ params, request }) {
        const key = `logout-token:${limitedNetwork(callerOf(request).address)}`;
        const limits = [{ key, max: MAX_BAD_TOKENS, minutes: 15 }];
        await limitFailures(db, limits, async () => {
          const provider = await findProvider(db, params.slug);
          const form = new URLSearchParams((await readBody(request, MAX_TOKEN_BYTES)).toString());
          const token = form.get("logout_token");
          if (!token) throw new Refusal("bad_request", "Send a form with logout_token.");
          await endByLogoutToken(deps, provider, token);
        });
      },
    }),
    route("GET /api/auth/me/identities", {
      access: "person",
      summary: "List the caller's identities at providers",
      query: PageQuery,
      responses: { 200: Page(Identity) },
      handler: ({ actor, query }) => listIdentities(db, actor.id, query),
    }),
    route("DELETE /api/auth/me/identities/:id", {
      access: "person",
      reauthentication: "required",
      summary: "Disconnect the caller from a provider",
      responses: { 204: null },
      errors: ["not_found", "last_way_in"],
      handler: ({ actor, params }) => removeIdentity(db, actor, params.id),
    }),
  ];
};

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location } });
}

/** @throws Refusal `not_found` if the provider is unknown or disabled */
async function findProvider(tx: Query, slug: string): Promise<ProviderRow> {
  const [row] = await tx
    .select()
    .from(identityProviders)
    .where(and(eq(identityProviders.slug, slug), eq(identityProviders.isEnabled, true)));
  if (!row) throw new Refusal("not_found", "There is no such provider.");
  return row;
}
