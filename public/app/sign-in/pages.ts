/** The sign-in, and what asks for the same proofs, loaded together. */
export { OpenProof } from "./proof-dialog.tsx";
export { ProviderSignUp } from "./provider-sign-up.tsx";
export { SignIn } from "./sign-in.tsx";
