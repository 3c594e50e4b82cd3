/** The sign-in, and the dialogs that ask for the same proofs, in one chunk. */
export { OpenProof } from "./proof-dialog.tsx";
export { ProviderSignUp } from "./provider-sign-up.tsx";
export { SignIn } from "./sign-in.tsx";
