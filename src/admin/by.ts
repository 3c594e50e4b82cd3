import type { By } from "../audit/audit.ts";
import { requestInfo } from "../platform/request-info.ts";

export type { By };

/** Who acts, as the audit log names it. */
export function byOf({ actor, request }: { actor: { id: string }; request: Request }): By {
  return { actorId: actor.id, ip: requestInfo(request).address };
}
