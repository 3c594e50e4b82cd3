import type { Server } from "bun";
import { makeRestricted } from "../accounts/guard.ts";
import { type Identifier, identifyCaller } from "../accounts/identify.ts";
import { sessionIdOf } from "../accounts/sessions.ts";
import { isForeign } from "../platform/origin.ts";
import { Refusal } from "../platform/refusal.ts";
import { createBucket } from "../platform/token-bucket.ts";
import { FRAME_RATE } from "../wire/limits.ts";
import type { SocketData } from "./socket.ts";

/**
 * Upgrades a request to a WebSocket.
 * @throws Refusal `unauthenticated`, `invalid_token`, `second_factor_required`, `cross_origin` (a handshake with a cookie has
 * to name our origin), `bad_request` for a request that is no handshake
 */
export async function upgradeToSocket(
  identifier: Identifier,
  server: Server<SocketData>,
  request: Request,
): Promise<true> {
  const { cookie, baseUrl } = identifier;
  if (cookie.read(request) !== null && !request.headers.has("authorization")) {
    if (!request.headers.has("origin") || isForeign(request, baseUrl)) {
      throw new Refusal("cross_origin", "The handshake comes from a page of another site.");
    }
  }
  const actor = await identifyCaller(identifier, request);
  if (actor.isRestricted) throw makeRestricted();
  const data: SocketData = {
    ...createBucket(FRAME_RATE),
    userId: actor.id,
    credentialId: actor.token?.id ?? sessionIdOf(actor),
    bot: actor.token,
    expiry: null,
    person: null,
    isGreeted: false,
    handling: 0,
    handlingBytes: 0,
    waiting: null,
    tail: null,
    joined: 0,
    onDrain: null,
  };
  if (server.upgrade(request, { data })) return true;
  throw new Refusal("bad_request", "This address is for WebSocket handshakes.");
}
