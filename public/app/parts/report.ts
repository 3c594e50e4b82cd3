import { toast } from "../app.ts";
import { describeError } from "../words/describe-error.ts";

/** Does something from a menu, and says what it did or why it could not. */
export function report(work: Promise<unknown>, done: () => string, undo?: () => void): void {
  work.then(
    () => toast(done(), undo),
    (error: unknown) => toast(describeError(error)),
  );
}
