import { signal } from "@preact/signals";
import type { ProofWay } from "../../../src/wire/sign-in.ts";

/** A call waits for the person to prove who they are. */
export type ProofQuestion = { ways: ProofWay[]; answer(isProven: boolean): void };

/**
 * The proof that is being requested. Its dialog, `sign-in/proof-dialog.tsx`, may be above another
 * one.
 */
export const proofQuestion = signal<ProofQuestion | null>(null);

let asked: Promise<boolean> | null = null;

/** Asks for a proof; calls that need one at the same time share the dialog. */
export function askForProof(ways: ProofWay[]): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    proofQuestion.value = { ways, answer: resolve };
  }).finally(() => {
    proofQuestion.value = null;
    asked = null;
  });
  return asked;
}
