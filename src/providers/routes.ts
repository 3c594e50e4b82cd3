import { Type as t } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import { arePasswordsOff } from "../accounts/emergency.ts";
import { identifyCaller, identifyCallerIfAny } from "../accounts/identify.ts";
import { rememberBrowser } from "../accounts/known-browsers.ts";
import type { Query } from "../database/connect.ts";
import { identityProviders } from "../database/schema.ts";
import { checkSignup } from "../invites/signup.ts";
import { isForeign } from "../platform/origin.ts";
import { Refusal } from "../platform/refusal.ts";
import { callerOf } from "../platform/request-info.ts";
import { countAttempt, forgiveAttempt, networkOf } from "../rate-limits/rate-limits.ts";
import { readBody } from "../routing/body.ts";
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
const PAGE = { media: "text/html", description: "What went wrong, and a way on" };
const REFUSED = { media: "application/problem+json", description: "The token is not valid" };
const MAX_STARTS = 600;
/** The limit on invalid logout tokens from an address. */
const MAX_BAD_TOKENS = 30;
const MAX_TOKEN_BYTES = 64 * 1024;
const PROFILE = "/profile/security";
const SIGN_IN = "/signin";

/** Signing in with a provider (OpenID Connect), and the caller's identities. */
export const providerRoutes = (deps: ProviderDeps) => {
  const { identifier, challenge, flow: flowCookie, baseUrl } = deps;
  const { db } = deps.database;
  const limitStarts = (request: Request) => {
    const key = `oidc-start:${networkOf(callerOf(request).address)}`;
    return countAttempt(db, [{ key, max: MAX_STARTS, minutes: 15 }]);
  };
  const fail = async (refusal: Refusal, request: Request, back: string) =>
    failurePage(refusal, request, { back, isOnly: await arePasswordsOff(db) });
  return [
    route("GET /api/auth/oidc/:slug/start", {
      access: "public",
      summary: "Go to a provider to sign in, to connect it, or to prove who the caller is",
      description:
        "With `connect=1` the caller's account is connected, which needs a proof; with `proof=1` the sign-in there is one. Browsers get pages, programs problem documents.",
      params: { slug: Slug },
      query: t.Object({
        return_to: t.Optional(t.String({ maxLength: 2_048, description: "A path of this site" })),
        connect: Flag,
        proof: Flag,
      }),
      answers: { 302: null },
      errors: [
        "not_found",
        "unauthenticated",
        "invalid_token",
        "proof_needed",
        "rate_limited",
        "provider_failed",
      ],
      run: async ({ params, query, request, headers }) => {
        const isOwn = query.connect !== undefined || query.proof !== undefined;
        try {
          await limitStarts(request);
          const provider = await findProvider(db, params.slug);
          const purpose = query.connect ? "connect" : query.proof ? "proof" : "sign-in";
          const returnTo = cleanReturnTo(query.return_to, isOwn ? PROFILE : "/", baseUrl);
          // A link on another site must not connect an identity with its visitor's account.
          if (isOwn && isForeign(request, baseUrl)) throw new Refusal("cross_origin");
          const actor = isOwn ? await identifyCaller(identifier, request) : null;
          const begun = await beginFlow(deps, provider, request, { purpose, returnTo, actor });
          headers.append("set-cookie", flowCookie.write(begun.browser));
          return redirect(begun.location);
        } catch (error) {
          const refusal = toStartRefusal(error, params.slug);
          if (!wantsPage(request)) throw refusal;
          return fail(refusal, request, isOwn ? PROFILE : SIGN_IN);
        }
      },
    }),
    route("POST /api/auth/oidc/:slug/start", {
      access: "public",
      summary: "Go to a provider with a signup link, to get an account by signing in there",
      params: { slug: Slug },
      body: LinkToken,
      answers: { 200: t.Object({ redirect: t.String({ description: "Where to go on" }) }) },
      errors: ["not_found", "link_not_found", "link_expired", "rate_limited", "provider_failed"],
      async run({ params, body, request, headers }) {
        await limitStarts(request);
        const provider = await findProvider(db, params.slug);
        const { kind } = await checkSignup(db, body.token);
        if (kind === "first") throw new Refusal("link_not_found", "Choose a password first.");
        const start = { purpose: "sign-in", returnTo: "/", invite: body.token } as const;
        const begun = await beginFlow(deps, provider, request, start).catch((error) => {
          throw toStartRefusal(error, params.slug);
        });
        headers.append("set-cookie", flowCookie.write(begun.browser));
        return { redirect: begun.location };
      },
    }),
    route("GET /api/auth/oidc/:slug/callback", {
      access: "public",
      summary: "Come back from a provider",
      description: "The provider sends browsers here, which get pages for what fails.",
      params: { slug: Slug },
      answers: { 302: null, 400: PAGE, 401: PAGE, 403: PAGE, 404: PAGE, 409: PAGE, 502: PAGE },
      run: async ({ params, request, headers }) => {
        try {
          const provider = await findProvider(db, params.slug);
          const { flow, result } = await finishFlow(deps, provider, request);
          if (result && "token" in result) {
            headers.append("set-cookie", identifier.cookie.write(result.token));
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
          const actor = await identifyCallerIfAny(identifier, request).catch(() => null);
          return fail(error, request, actor ? PROFILE : SIGN_IN);
        }
      },
    }),
    route("POST /api/auth/oidc/:slug/backchannel-logout", {
      access: "public",
      summary: "End sessions, by a logout token of the provider",
      description:
        "OpenID Connect Back-Channel Logout 1.0: a form with `logout_token`, which works once.",
      params: { slug: Slug },
      body: "webhook",
      answers: { 200: null, 400: REFUSED, 404: REFUSED, 429: REFUSED },
      async run({ params, request }) {
        const key = `logout-token:${networkOf(callerOf(request).address)}`;
        const limits = [{ key, max: MAX_BAD_TOKENS, minutes: 15 }];
        await countAttempt(db, limits);
        const provider = await findProvider(db, params.slug);
        const form = new URLSearchParams((await readBody(request, MAX_TOKEN_BYTES)).toString());
        const token = form.get("logout_token");
        if (!token) throw new Refusal("bad_request", "Send a form with logout_token.");
        await endByLogoutToken(deps, provider, token);
        await forgiveAttempt(db, limits);
      },
    }),
    route("GET /api/auth/me/identities", {
      access: "person",
      summary: "List the caller's identities at providers",
      query: PageQuery,
      answers: { 200: Page(Identity) },
      run: ({ actor, query }) => listIdentities(db, actor.id, query),
    }),
    route("DELETE /api/auth/me/identities/:id", {
      access: "person",
      proof: "needed",
      summary: "Disconnect the caller from a provider",
      answers: { 204: null },
      errors: ["not_found", "last_way_in"],
      run: ({ actor, params }) => removeIdentity(db, actor, params.id),
    }),
  ];
};

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location } });
}

/** @throws Refusal `not_found` for an unknown or disabled one */
async function findProvider(tx: Query, slug: string): Promise<ProviderRow> {
  const [row] = await tx
    .select()
    .from(identityProviders)
    .where(and(eq(identityProviders.slug, slug), eq(identityProviders.isEnabled, true)));
  if (!row) throw new Refusal("not_found", "There is no such provider.");
  return row;
}
