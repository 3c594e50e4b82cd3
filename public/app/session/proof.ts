import { signal } from "@preact/signals";
import type { ProofWay } from "../../../src/wire/sign-in.ts";

/** A call that waits for the person to reauthenticate. */
export type ProofQuestion = { ways: ProofWay[]; answer(isProven: boolean): void };

/**
 * The reauthentication in progress. Its dialog, `sign-in/proof-dialog.tsx`, may be above another
 * dialog.
 */
export const proofQuestion = signal<ProofQuestion | null>(null);

let asked: Promise<boolean> | null = null;

/** Asks the person to reauthenticate. Calls that need it at the same time share the dialog. */
export function askForProof(ways: ProofWay[]): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    proofQuestion.value = { ways, answer: resolve };
  }).finally(() => {
    proofQuestion.value = null;
    asked = null;
  });
  return asked;
}
