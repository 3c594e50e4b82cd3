import { adminPeople } from "./admin-people.ts";
import { adminSystem } from "./admin-system.ts";

/** What administrators read, and nobody else. */
export const admin = { ...adminPeople, ...adminSystem };
