import type { ProviderDeps } from "../providers/deps.ts";
import {
  createProvider,
  deleteProvider,
  listProviders,
  requireProvider,
  updateProvider,
} from "../providers/settings.ts";
import { testProvider } from "../providers/test-provider.ts";
import { route } from "../routing/route.ts";
import { Page } from "../wire/models.ts";
import {
  CreateIdentityProvider,
  IdentityProvider,
  ProviderTest,
  UpdateIdentityProvider,
} from "../wire/providers.ts";
import { PageQuery } from "../wire/queries.ts";
import { changeAsAdministrator } from "./change.ts";

/** Providers of identities, for site administrators. */
export const providerAdminRoutes = (deps: ProviderDeps) => {
  const { db } = deps.database;
  return [
    route("GET /api/admin/identity-providers", {
      access: "administrator",
      summary: "List providers of identities, without their secrets",
      query: PageQuery,
      answers: { 200: Page(IdentityProvider) },
      run: ({ query }) => listProviders(db, deps.baseUrl, query),
    }),
    route("POST /api/admin/identity-providers", {
      access: "administrator",
      proof: "needed",
      summary: "Add a provider of identities (OpenID Connect)",
      body: CreateIdentityProvider,
      answers: { 201: IdentityProvider },
      errors: ["slug_taken", "no_emergency_account"],
      run: (call) =>
        changeAsAdministrator(db, call, (tx, actor) => createProvider(tx, deps, actor, call.body)),
    }),
    route("PATCH /api/admin/identity-providers/:id", {
      access: "administrator",
      proof: "needed",
      summary: "Change the fields of a provider that are present",
      description: "Disabling it, or another issuer, ends the sessions that began with it.",
      body: UpdateIdentityProvider,
      answers: { 200: IdentityProvider },
      errors: ["not_found", "no_emergency_account", "provider_from_environment"],
      run: (call) =>
        changeAsAdministrator(db, call, (tx, actor) =>
          updateProvider(tx, deps, actor, call.params, call.body),
        ),
    }),
    route("DELETE /api/admin/identity-providers/:id", {
      access: "administrator",
      proof: "needed",
      summary: "Remove a provider and end the sessions that began with it",
      answers: { 204: null },
      errors: ["not_found", "no_emergency_account", "provider_from_environment"],
      run: (call) =>
        changeAsAdministrator(db, call, (tx, actor) => deleteProvider(tx, actor, call.params)),
    }),
    route("POST /api/admin/identity-providers/:id/test", {
      access: "administrator",
      proof: "needed",
      summary: "Test a provider: its address, endpoints, keys and clock",
      answers: { 200: ProviderTest },
      errors: ["not_found"],
      run: async ({ params }) => testProvider(deps, await requireProvider(db, params)),
    }),
  ];
};
