import { type Static, Type as t } from "@sinclair/typebox";
import { MAX_PASSKEY_NAME_LENGTH, RECOVERY_CODES } from "./limits.ts";
import { Id, Nullable, Timestamp, oneOf } from "./models.ts";
import { nameOf } from "./requests.ts";

/** The methods for the second step after a password. */
export const Factor = oneOf(["totp", "passkey", "recovery_code"]);
/** The methods of reauthentication. */
export const ProofWay = oneOf(["password", "totp", "passkey", "recovery_code", "provider"]);

const ProviderName = t.Object({
  slug: t.String({ description: "In the address of its sign-in" }),
  name: t.String(),
});

export const SignInMethods = t.Object({
  passwords: t.Boolean({ description: "False where all but emergency accounts use a provider" }),
  passkeys: t.Boolean({ description: "False where the site has neither https nor localhost" }),
  providers: t.Array(ProviderName),
  sends_mail: t.Boolean({ description: "Email is set up, so a forgotten password can be reset" }),
});

/** The password was correct; the cookie `snug_challenge` identifies the account. */
export const SecondStep = t.Object({ factors: t.Array(Factor) });

const Base64Url = (maxLength: number) =>
  t.String({ pattern: "^[A-Za-z0-9_-]+$", maxLength, expected: "text in base64url" });

/** The result of `navigator.credentials.get()`, in the format of `toJSON()` (WebAuthn, 5.1). */
export const PasskeyAssertion = t.Object({
  id: Base64Url(2_048),
  rawId: Base64Url(2_048),
  type: t.Literal("public-key"),
  response: t.Object({
    clientDataJSON: Base64Url(8_192),
    authenticatorData: Base64Url(8_192),
    signature: Base64Url(8_192),
    userHandle: t.Optional(Nullable(t.String({ pattern: "^[A-Za-z0-9_-]*$", maxLength: 128 }))),
  }),
});

/** The result of `navigator.credentials.create()`, in the format of `toJSON()` (WebAuthn, 5.1). */
export const PasskeyAttestation = t.Object({
  id: Base64Url(2_048),
  rawId: Base64Url(2_048),
  type: t.Literal("public-key"),
  response: t.Object({
    clientDataJSON: Base64Url(8_192),
    attestationObject: Base64Url(65_536),
    transports: t.Optional(t.Array(t.String({ maxLength: 32 }), { maxItems: 16 })),
  }),
});

const TotpCode = t.String({ minLength: 1, maxLength: 16, description: "Six digits" });
const RecoveryCode = t.String({ minLength: 1, maxLength: 64 });

/** Exactly one field must be present. */
export const SecondLogin = t.Partial(
  t.Object({ totp: TotpCode, recovery_code: RecoveryCode, passkey: PasskeyAssertion }),
);
/** Exactly one field must be present. */
export const Proof = t.Partial(
  t.Object({
    password: t.String({ minLength: 1, maxLength: 1_024 }),
    totp: TotpCode,
    recovery_code: RecoveryCode,
    passkey: PasskeyAssertion,
  }),
);

const CredentialDescriptor = t.Object({
  id: t.String(),
  type: t.Literal("public-key"),
  transports: t.Optional(t.Array(t.String())),
});
/** For `PublicKeyCredential.parseRequestOptionsFromJSON()`. */
export const PasskeyRequestOptions = t.Object({
  challenge: t.String(),
  timeout: t.Optional(t.Integer()),
  rpId: t.Optional(t.String()),
  allowCredentials: t.Optional(t.Array(CredentialDescriptor)),
  userVerification: t.Optional(t.String()),
});
/** For `PublicKeyCredential.parseCreationOptionsFromJSON()`. */
export const PasskeyCreationOptions = t.Object({
  rp: t.Object({ id: t.Optional(t.String()), name: t.String() }),
  user: t.Object({ id: t.String(), name: t.String(), displayName: t.String() }),
  challenge: t.String(),
  pubKeyCredParams: t.Array(t.Object({ alg: t.Integer(), type: t.Literal("public-key") })),
  timeout: t.Optional(t.Integer()),
  excludeCredentials: t.Optional(t.Array(CredentialDescriptor)),
  authenticatorSelection: t.Optional(
    t.Object({
      residentKey: t.Optional(t.String()),
      requireResidentKey: t.Optional(t.Boolean()),
      userVerification: t.Optional(t.String()),
    }),
  ),
  attestation: t.Optional(t.String()),
});

export const SecondFactorState = t.Object({
  is_on: t.Boolean(),
  is_pending: t.Boolean({ description: "It is on once one of its recovery codes was typed back" }),
  totp: t.Boolean({ description: "An authenticator app is set up" }),
  passkeys: t.Integer(),
  recovery_codes_left: t.Integer({ minimum: 0, maximum: RECOVERY_CODES }),
  has_password: t.Boolean({ description: "The caller can sign in with a password" }),
  is_required: t.Boolean({ description: "The site requires one of the caller" }),
  required_from: Nullable(
    t.String({ ...Timestamp, description: "When sessions without one become restricted" }),
  ),
  is_restricted: t.Boolean({ description: "Only the routes of sign-in accept this session" }),
});

const Codes = t.Array(t.String(), {
  description: "Recovery codes, which only this response contains",
});
export const TotpSecret = t.Object({
  secret: t.String({ description: "In base32, to be typed into an app" }),
  uri: t.String({ description: "An otpauth:// address, for a QR code" }),
});
export const ConfirmTotp = t.Object({ code: TotpCode });
/** The codes come with a user's first factor, which is off until the user has entered one. */
export const TotpConfirmed = t.Object({ recovery_codes: Nullable(Codes) });
export const RecoveryCodes = t.Object({ recovery_codes: Codes });
export const SavedRecoveryCode = t.Object({ recovery_code: RecoveryCode });

export const Passkey = t.Object({
  id: Id,
  name: t.String(),
  is_synced: t.Boolean({ description: "A password manager carries it to other devices" }),
  is_usable: t.Boolean({ description: "False if it was made for another host of this site" }),
  went_back_at: Nullable(
    t.String({
      ...Timestamp,
      description: "When its counter last went backwards, which may mean that it was copied",
    }),
  ),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
});
const PasskeyName = nameOf(MAX_PASSKEY_NAME_LENGTH);
export const CreatePasskey = t.Object({
  name: t.Optional(PasskeyName),
  passkey: PasskeyAttestation,
});
/** The codes come with a user's first factor, which is off until the user has entered one. */
export const CreatedPasskey = t.Composite([Passkey, t.Object({ recovery_codes: Nullable(Codes) })]);
export const UpdatePasskey = t.Object({ name: PasskeyName });

export const Identity = t.Object({
  id: Id,
  provider: Nullable(ProviderName),
  issuer: t.String(),
  email: Nullable(t.String()),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
});

export const Logout = t.Object({
  everywhere: t.Optional(
    t.Boolean({ description: "End all of the caller's sessions, and the one at the provider" }),
  ),
});
export const LoggedOut = t.Object({
  redirect: Nullable(t.String({ description: "Where the provider's session ends" })),
});

export type Factor = Static<typeof Factor>;
export type ProofWay = Static<typeof ProofWay>;
export type SignInMethods = Static<typeof SignInMethods>;
export type SecondStep = Static<typeof SecondStep>;
export type SecondLogin = Static<typeof SecondLogin>;
export type Proof = Static<typeof Proof>;
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;
export type PasskeyAttestation = Static<typeof PasskeyAttestation>;
export type PasskeyRequestOptions = Static<typeof PasskeyRequestOptions>;
export type PasskeyCreationOptions = Static<typeof PasskeyCreationOptions>;
export type SecondFactorState = Static<typeof SecondFactorState>;
export type TotpSecret = Static<typeof TotpSecret>;
export type TotpConfirmed = Static<typeof TotpConfirmed>;
export type Passkey = Static<typeof Passkey>;
export type CreatePasskey = Static<typeof CreatePasskey>;
export type CreatedPasskey = Static<typeof CreatedPasskey>;
export type Identity = Static<typeof Identity>;
