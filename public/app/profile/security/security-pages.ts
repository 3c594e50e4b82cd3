/** The account's security pages, in the profile and standalone, as one chunk. */
export { Restricted } from "./restricted.tsx";
export { Security } from "./security.tsx";
