import type { Actor } from "../accounts/sessions.ts";
import type { By } from "../audit/audit.ts";
import { requestInfo } from "../platform/request-info.ts";

export type { By };

/** Who calls, as the audit log names it. */
export function byOf({ actor, request }: { actor: Actor; request: Request }): { by: By } {
  return { by: { actorId: actor.id, ip: requestInfo(request).address } };
}
