import { route } from "../routing/route.ts";
import { Page } from "../wire/models.ts";
import { PageQuery } from "../wire/queries.ts";
import {
  ConfirmTotp,
  CreatedPasskey,
  CreatePasskey,
  Passkey,
  PasskeyCreationOptions,
  RecoveryCodes,
  SavedRecoveryCode,
  SecondFactorState,
  TotpConfirmed,
  TotpSecret,
  UpdatePasskey,
} from "../wire/sign-in.ts";
import type { SignInDeps } from "./deps.ts";
import { confirmSaved, readSecondFactor, renewRecoveryCodes } from "./factors.ts";
import { listPasskeys, renamePasskey } from "./list-passkeys.ts";
import { createPasskey, createPasskeyOptions, removePasskey } from "./passkeys.ts";
import { beginTotp, confirmTotp, removeTotp } from "./totp.ts";

const REMOVAL_REFUSALS = ["not_found", "last_factor", "no_emergency_account"] as const;

/** The caller's own factors: authenticator app, passkeys and recovery codes. */
export const factorRoutes = (deps: SignInDeps) => {
  const { db } = deps.database;
  return [
    route("GET /api/auth/me/second-factor", {
      access: "person",
      summary: "Get whether the caller's second factor is on, and what it consists of",
      answers: { 200: SecondFactorState },
      run: ({ actor }) => readSecondFactor(db, actor),
    }),
    route("POST /api/auth/me/totp", {
      access: "person",
      proof: "needed",
      summary: "Begin to set up an authenticator app",
      description:
        "The secret is in this answer only. An app that is in use stays so until the new one is confirmed.",
      answers: { 200: TotpSecret },
      run: ({ actor }) => beginTotp(deps, actor),
    }),
    route("POST /api/auth/me/totp/confirm", {
      access: "person",
      summary: "Confirm an authenticator app with one of its codes",
      description:
        "The first factor answers with recovery codes, and is on once one of them was typed back.",
      body: ConfirmTotp,
      answers: { 200: TotpConfirmed },
      errors: ["invalid_code", "rate_limited"],
      run: ({ actor, body }) => confirmTotp(deps, actor, body.code),
    }),
    route("DELETE /api/auth/me/totp", {
      access: "person",
      proof: "needed",
      summary: "Remove the authenticator app and end all other sessions",
      answers: { 204: null },
      errors: REMOVAL_REFUSALS,
      run: ({ actor }) => removeTotp(deps, actor),
    }),
    route("POST /api/auth/me/recovery-codes", {
      access: "person",
      proof: "needed",
      summary: "Make new recovery codes; the old ones are void, and all other sessions end",
      answers: { 200: RecoveryCodes },
      errors: ["second_factor_off"],
      run: async ({ actor }) => ({ recovery_codes: await renewRecoveryCodes(db, actor) }),
    }),
    route("POST /api/auth/me/recovery-codes/saved", {
      access: "person",
      summary: "Type back a recovery code, which turns a pending second factor on",
      description: "The code stays good. All other sessions end.",
      body: SavedRecoveryCode,
      answers: { 204: null },
      errors: ["invalid_code", "second_factor_off", "rate_limited"],
      run: ({ actor, body }) => confirmSaved(db, actor, body.recovery_code),
    }),
    route("POST /api/auth/me/passkeys/options", {
      access: "person",
      proof: "needed",
      summary: "Get what a browser needs to make a passkey",
      answers: { 200: PasskeyCreationOptions },
      errors: ["too_many_passkeys"],
      run: ({ actor }) => createPasskeyOptions(deps, actor),
    }),
    route("POST /api/auth/me/passkeys", {
      access: "person",
      proof: "needed",
      summary: "Add a passkey",
      description:
        "The first factor answers with recovery codes, and is on once one of them was typed back.",
      body: CreatePasskey,
      answers: { 201: CreatedPasskey },
      errors: ["invalid_passkey", "passkey_known", "too_many_passkeys"],
      run: ({ actor, request, body }) => createPasskey(deps, actor, request, body),
    }),
    route("GET /api/auth/me/passkeys", {
      access: "person",
      summary: "List the caller's passkeys",
      query: PageQuery,
      answers: { 200: Page(Passkey) },
      run: ({ actor, query }) => listPasskeys(db, deps.baseUrl, actor.id, query),
    }),
    route("PATCH /api/auth/me/passkeys/:id", {
      access: "person",
      summary: "Rename a passkey",
      body: UpdatePasskey,
      answers: { 200: Passkey },
      errors: ["not_found"],
      run: ({ actor, params, body }) => renamePasskey(deps, actor, params.id, body.name),
    }),
    route("DELETE /api/auth/me/passkeys/:id", {
      access: "person",
      proof: "needed",
      summary: "Remove a passkey and end all other sessions",
      answers: { 204: null },
      errors: [...REMOVAL_REFUSALS, "last_way_in"],
      run: ({ actor, params }) => removePasskey(deps, actor, params.id),
    }),
  ];
};
