/** The security of the account, in the profile and as a page of its own, in one chunk. */
export { Restricted } from "./restricted.tsx";
export { Security } from "./security.tsx";
