/** The pages that links lead to, loaded together. */
export { Forgot } from "./forgot.tsx";
export { Reset } from "./reset.tsx";
export { SignUp } from "./sign-up.tsx";
