import { Type as t } from "@sinclair/typebox";
import { CustomTheme, Me, Nullable, Page, Session, User } from "../../wire/models.ts";
import type { Media, Operations } from "../operation.ts";

const AVATAR: Media = { media: "image/webp", description: "The picture" };

export const ACCOUNTS: Operations = {
  "POST /api/auth/login": {
    summary: "Sign in with a username or email",
    answers: { 200: Me },
    errors: ["invalid_credentials", "rate_limited"],
  },
  "POST /api/auth/logout": { summary: "Sign out", answers: { 204: null } },
  "GET /api/auth/session": {
    summary: "Who calls, or null for nobody: what a page asks before it knows",
    answers: { 200: t.Object({ user: Nullable(Me) }) },
    errors: ["invalid_token"],
  },
  "GET /api/auth/me": { summary: "Who calls", answers: { 200: Me } },
  "PATCH /api/auth/me": {
    summary: "Change what is given of one's own account",
    answers: { 200: Me },
  },
  "PUT /api/auth/me/password": {
    summary: "Change one's own password; one's other sessions end",
    answers: { 204: null },
    errors: ["rate_limited"],
  },
  "GET /api/auth/me/sessions": {
    summary: "Where one is signed in",
    answers: { 200: Page(Session) },
  },
  "DELETE /api/auth/me/sessions/:id": {
    summary: "End one of one's own sessions",
    answers: { 204: null },
    errors: ["not_found"],
  },
  "POST /api/auth/forgot-password": {
    summary: "Ask for a link to choose a new password",
    description: "The answer does not tell whether anyone has this address.",
    answers: { 202: t.Object({ sends_mail: t.Boolean({ description: "Mails go out at all" }) }) },
  },
  "POST /api/auth/reset-password/check": {
    summary: "Whose password a link sets",
    answers: { 200: t.Object({ username: t.String() }) },
    errors: ["link_not_found", "token_expired"],
  },
  "POST /api/auth/reset-password": {
    summary: "Choose a new password with a link; all sessions end",
    answers: { 204: null },
    errors: ["link_not_found", "token_expired"],
  },
  "POST /api/signup/check": {
    summary: "Whether a signup link is good",
    answers: { 200: t.Object({ email: Nullable(t.String()) }) },
    errors: ["link_not_found", "link_expired"],
  },
  "POST /api/signup": {
    summary: "Make an account with a link, and sign in",
    answers: { 201: Me },
    errors: ["link_not_found", "link_expired", "username_taken", "email_taken"],
  },
  "PUT /api/auth/me/avatar": {
    summary: "Set one's own picture",
    answers: { 200: Me },
    errors: ["too_large", "not_an_image", "image_too_big"],
    body: "file",
  },
  "DELETE /api/auth/me/avatar": { summary: "Go back to initials", answers: { 200: Me } },
  "GET /api/users": {
    summary: "Find people by how a name begins",
    answers: { 200: Page(User) },
  },
  "GET /api/users/online": {
    summary: "Who is online now",
    answers: { 200: t.Object({ items: t.Array(User) }) },
  },
  "GET /api/users/:id/avatar": {
    summary: "Somebody's picture",
    answers: { 200: AVATAR, 304: null },
    errors: ["not_found"],
  },
  "GET /api/custom-themes": {
    summary: "One's own saved palettes",
    answers: { 200: Page(CustomTheme) },
  },
  "POST /api/custom-themes": {
    summary: "Save a palette",
    answers: { 201: CustomTheme },
    errors: ["too_many_themes"],
  },
  "PATCH /api/custom-themes/:id": {
    summary: "Rename or recolour a palette",
    answers: { 200: CustomTheme },
    errors: ["not_found"],
  },
  "DELETE /api/custom-themes/:id": {
    summary: "Delete a palette; who uses it goes back to a preset",
    answers: { 204: null },
    errors: ["not_found"],
  },
  "POST /api/custom-themes/:id/activate": {
    summary: "Use a palette",
    answers: { 200: Me },
    errors: ["not_found"],
  },
};
