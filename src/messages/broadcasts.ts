import { LEASE_SECONDS } from "../presence/presence.ts";
import { MAX_HERE } from "../wire/limits.ts";

/**
 * SQL: the members of a room whom `@here` mentions: those who are connected at this moment, also those
 * who appear offline, because its publish to the room's sockets reaches the same people. Null, which
 * means all members, if they are more than `MAX_HERE`.
 * @param roomId an SQL expression
 */
export const connectedMembersOf = (roomId: string) => `(
  select case when count(*) <= ${MAX_HERE} then coalesce(array_agg(ms.user_id), '{}') end
  from memberships ms
  where ms.room_id = ${roomId} and exists (
    select from presence join instances i on i.id = presence.instance_id
    where presence.user_id = ms.user_id
      and i.heartbeat_at > clock_timestamp() - ${LEASE_SECONDS} * interval '1 second'))`;
