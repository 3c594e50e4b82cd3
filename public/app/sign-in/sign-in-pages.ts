/**
 * The screens for people who are not signed in, and the reauthentication dialogs that share their
 * code, in one chunk.
 */
export { Forgot, Reset } from "./forgotten-password.tsx";
export { OpenProof } from "./proof-dialog.tsx";
export { SignIn } from "./sign-in.tsx";
export { SignUp } from "./sign-up.tsx";
