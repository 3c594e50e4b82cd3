import { COMMAND_LINE } from "../audit/write.ts";
import { baseUrlOf, type Config } from "../config.ts";
import { withDatabase } from "../database/open.ts";
import { createEgress } from "../platform/egress/egress.ts";
import { createDiscovery } from "../providers/deps.ts";
import {
  createProvider,
  deleteProvider,
  listProviders,
  requireProvider,
  updateProvider,
} from "../providers/settings.ts";
import { testProvider } from "../providers/test-provider.ts";
import { MAX_PAGE } from "../wire/limits.ts";
import { PROVIDER_SLUG_PATTERN } from "../wire/patterns.ts";
import type { IdentityProvider, UpdateIdentityProvider } from "../wire/providers.ts";
import {
  type Call,
  type Command,
  formatTable,
  inDatabase,
  inTransaction,
  listResult,
  type Option,
  parseCount,
  UsageError,
} from "./command.ts";
import { readKeyOf } from "./secrets.ts";

const depsOf = (config: Config) => ({ readKey: readKeyOf(config), baseUrl: baseUrlOf(config) });

/** Options with the values on and off, by their field names in the API. */
const SWITCHES = {
  "link-by-email": ["link_by_email", "join accounts of the same verified address"],
  "trusts-email": ["trusts_email", "take addresses as verified if the provider does not say"],
  "allow-signup": ["allow_signup", "let people in without an invite"],
  "sync-profile": ["sync_profile", "take over names and pictures at each sign-in"],
  "counts-as-second-factor": ["counts_as_second_factor", "ask for no second factor after it"],
  "proves-without-auth-time": [
    "proves_without_auth_time",
    "take a sign-in there without its time as a proof, for people without password and second factor",
  ],
  exclusive: ["is_exclusive", "passwords are for emergency accounts alone"],
  enabled: ["is_enabled", "offer it at the sign-in"],
} as const;

const TEXTS = {
  name: ["<name>", "what people see"],
  issuer: ["<address>", "the provider's issuer, as it shows it"],
  "client-id": ["<id>", "the id of this site there"],
  scopes: ["<scopes>", "what is asked for (default: openid profile email)"],
  "allowed-domains": ["<domains>", "domains that may sign up, with commas; empty for all"],
  "groups-claim": ["<claim>", "the claim that lists groups; empty for none"],
  "admin-group": ["<group>", "who is in it is a site administrator; empty for none"],
  "max-session-hours": ["<hours>", "after how long people sign in there again"],
} as const;

const SECRET: Record<string, Option> = {
  "client-secret-stdin": { help: "read the client's secret from standard input" },
};
const CHANGES: Record<string, Option> = {
  ...Object.fromEntries(
    Object.entries(TEXTS).map(([option, [value, help]]) => [option, { value, help }]),
  ),
  ...Object.fromEntries(
    Object.entries(SWITCHES).map(([option, [, help]]) => [option, { value: "<on|off>", help }]),
  ),
  ...SECRET,
};

async function readChanges({ options, readPassword }: Call): Promise<UpdateIdentityProvider> {
  const changes: Record<string, unknown> = {};
  for (const [option, [field]] of Object.entries(SWITCHES)) {
    if (options[option] !== undefined) changes[field] = options[option] === "on";
  }
  for (const option of Object.keys(TEXTS)) {
    if (options[option] === undefined) continue;
    changes[option.replaceAll("-", "_")] = readText(option, String(options[option]));
  }
  if (options["client-secret-stdin"]) changes.client_secret = await readPassword();
  return changes as UpdateIdentityProvider;
}

function readText(option: string, text: string): unknown {
  if (option === "allowed-domains") return text.split(",").flatMap((domain) => domain.trim() || []);
  if (option === "groups-claim" || option === "admin-group") return text || null;
  if (option !== "max-session-hours") return text;
  return parseCount("--max-session-hours", text, 1, 8_760);
}

function describeState(provider: IdentityProvider): string {
  const words = [provider.is_enabled ? "enabled" : "disabled"];
  if (provider.is_exclusive) words.push("exclusive");
  if (provider.is_from_environment) words.push("from the environment");
  return words.join(", ");
}

export const oidcCommands: Command[] = [
  {
    name: "oidc add",
    args: ["<slug>"],
    summary: "add a provider to sign in with (OpenID Connect)",
    effect: "audited",
    options: {
      ...CHANGES,
      issuer: { ...CHANGES.issuer, required: true } as Option,
      "client-id": { ...CHANGES["client-id"], required: true } as Option,
      name: { ...CHANGES.name, required: true } as Option,
    },
    async run(call) {
      const slug = call.arg;
      if (!new RegExp(PROVIDER_SLUG_PATTERN).test(slug)) {
        throw new UsageError("A slug is 1 to 32 lower-case letters, digits or dashes.");
      }
      const { name = "", issuer = "", client_id = "", ...options } = await readChanges(call);
      const params = { slug, name, issuer, client_id, ...options };
      return withDatabase(call.config, async ({ db }) => {
        const provider = await db.transaction((tx) =>
          createProvider(tx, depsOf(call.config), COMMAND_LINE, params),
        );
        const lines = [
          `Added ${provider.name}. Tell the provider these addresses:`,
          `  redirect:            ${provider.redirect_uri}`,
          `  back-channel logout: ${provider.backchannel_logout_uri}`,
          `Then try it with: oidc test ${slug}`,
        ];
        return { json: provider, text: lines.join("\n") };
      });
    },
  },
  {
    name: "oidc list",
    summary: "list providers",
    effect: "read",
    run: inDatabase(async ({ db }, { config }) => {
      const { items } = await listProviders(db, baseUrlOf(config), { limit: MAX_PAGE });
      return listResult(items, "No providers.", (item) => [
        item.slug,
        item.name,
        item.issuer,
        describeState(item),
      ]);
    }),
  },
  {
    name: "oidc set",
    args: ["<slug>"],
    summary: "change a provider; --exclusive=off lets everyone use passwords again",
    effect: "audited",
    options: CHANGES,
    async run(call) {
      const changes = await readChanges(call);
      return withDatabase(call.config, async ({ db }) => {
        const key = { slug: call.arg };
        const provider = await db.transaction((tx) =>
          updateProvider(tx, depsOf(call.config), COMMAND_LINE, key, changes),
        );
        return { json: provider, text: `${provider.name} is ${describeState(provider)}.` };
      });
    },
  },
  {
    name: "oidc test",
    args: ["<slug>"],
    summary: "check a provider's address, endpoints, keys and clock",
    effect: "read",
    run: inDatabase(async ({ db }, call) => {
      const provider = await requireProvider(db, { slug: call.arg });
      const egress = createEgress({ allow: call.config.egressAllow });
      const deps = { ...depsOf(call.config), egress, discovery: createDiscovery() };
      const result = await testProvider(deps, provider);
      const rows = result.checks.map(({ ok, check, detail }) => [
        ok ? "ok" : "WRONG",
        check,
        detail,
      ]);
      return { json: result, text: formatTable(rows), failed: !result.ok };
    }),
  },
  {
    name: "oidc remove",
    args: ["<slug>"],
    summary: "remove a provider and end the sessions that began with it",
    effect: "audited",
    run: inTransaction(async (tx, call) => {
      const slug = call.arg;
      await deleteProvider(tx, COMMAND_LINE, { slug });
      return { json: { slug }, text: `Removed ${slug}.` };
    }),
  },
];
