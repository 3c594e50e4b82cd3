import type { Member } from "../wire/models.ts";
import type { DirectSeat } from "./partner-statements.ts";

/** People as members' lists show them, by id. */
export type People = Map<string, Pick<Member, "user" | "status">>;

/** Reads people as members' lists show them; those that are unknown are left out. */
export type ReadPeople = (userIds: string[]) => Promise<People>;

/** A membership of someone who has changed. */
export type Seat = DirectSeat;

/** What others see of members of one room, which has changed. */
export type MemberUpdate = {
  room_id: string;
  /** Who has changed; null where they are too many to be named. */
  user_ids: string[] | null;
  /** Those of them who are members, as they are now; null where they are too many to be carried. */
  members: Member[] | null;
};

/** @returns the members whose seats these are; a person who is not in `people` is left out */
export function toMembers(seats: Seat[], people: People): Member[] {
  return seats.flatMap(({ userId, role, joinedAt }) => {
    const person = people.get(userId);
    if (!person) return [];
    const { user, status } = person;
    return { user, role, joined_at: joinedAt.toISOString(), status };
  });
}
