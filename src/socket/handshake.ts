import type { Server } from "bun";
import {
  authenticateCaller,
  type Authenticator,
  makeRestrictedRefusal,
} from "../authentication/guard.ts";
import { sessionIdOf } from "../authentication/sessions.ts";
import { isForeign } from "../platform/http/origin.ts";
import { Refusal } from "../platform/refusal.ts";
import { createBucket } from "../platform/concurrency/token-bucket.ts";
import { FRAME_RATE } from "../wire/limits.ts";
import type { SocketData } from "./socket.ts";

/**
 * Upgrades a request to a WebSocket.
 * @throws Refusal `unauthenticated`, `invalid_token`, `user_mismatch`, `second_factor_required`, `bad_request`;
 * `cross_origin` if a handshake with a cookie does not name our origin
 */
export async function upgradeToSocket(
  authenticator: Authenticator,
  server: Server<SocketData>,
  request: Request,
): Promise<true> {
  const { cookie, baseUrl } = authenticator;
  if (cookie.read(request) !== null && !request.headers.has("authorization")) {
    if (!request.headers.has("origin") || isForeign(request, baseUrl)) {
      throw new Refusal("cross_origin", "The handshake comes from a page of another site.");
    }
  }
  const actor = await authenticateCaller(authenticator, request);
  if (actor.isRestricted) throw makeRestrictedRefusal();
  const data: SocketData = {
    ...createBucket(FRAME_RATE),
    id: actor.id,
    token: actor.token,
    credentialId: actor.token?.id ?? sessionIdOf(actor),
    expiry: null,
    nextHello: null,
    person: null,
    isGreeted: false,
    framesInProgress: 0,
    bytesInProgress: 0,
    waitingFrames: null,
    tail: null,
    openRoomCount: 0,
    onDrain: null,
  };
  if (server.upgrade(request, { data })) return true;
  throw new Refusal("bad_request", "This address is for WebSocket handshakes.");
}
