import type { Member } from "../wire/models.ts";
import type { DirectSeat } from "./partner-statements.ts";

/** People as members' lists show them, by id. */
export type People = Map<string, Pick<Member, "user" | "status">>;

/** Reads people as members' lists show them; those that are unknown are left out. */
export type ReadPeople = (userIds: string[]) => Promise<People>;

/** The membership of a user whose account has changed. */
export type Seat = DirectSeat;

/** Changes of what others see of the members of one room. */
export type MemberUpdate = {
  room_id: string;
  /** Who has changed; null if there are too many to list. */
  user_ids: string[] | null;
  /** Those of them who are members, as they are now; null if there are too many to send. */
  members: Member[] | null;
};

/** @returns the members who have these memberships; a user who is not in `people` is left out */
export function toMembers(seats: Seat[], people: People): Member[] {
  return seats.flatMap(({ userId, role, joinedAt }) => {
    const person = people.get(userId);
    if (!person) return [];
    const { user, status } = person;
    return { user, role, joined_at: joinedAt.toISOString(), status };
  });
}
