import { adminPeople } from "./admin-people.ts";
import { adminSystem } from "./admin-system.ts";

/** The administration. */
export const admin = { ...adminPeople, ...adminSystem };
