/** The screens of people who are not signed in, and the dialogs that ask for the same proofs, in one chunk. */
export { Forgot } from "./forgot.tsx";
export { OpenProof } from "./proof-dialog.tsx";
export { Reset } from "./reset.tsx";
export { SignIn } from "./sign-in.tsx";
export { SignUp } from "./sign-up.tsx";
