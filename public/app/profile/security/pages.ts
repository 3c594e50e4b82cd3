/** The security of the account, in the profile and alone, loaded together. */
export { Restricted } from "./restricted.tsx";
export { Security } from "./security.tsx";
