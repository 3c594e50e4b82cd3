import { adminPeople } from "./admin-people.ts";
import { adminSignIn } from "./admin-sign-in.ts";
import { adminSystem } from "./admin-system.ts";

export const admin = { ...adminPeople, ...adminSignIn, ...adminSystem };
