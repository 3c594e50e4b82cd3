import { toast } from "../../app.ts";
import { ApiError } from "../../connection/api.ts";

/** Does something from a menu, and says what it did or why it could not. */
export function say(work: Promise<unknown>, done: string, undo?: () => void): void {
  work.then(
    () => toast(done, undo),
    (error: unknown) =>
      toast(error instanceof ApiError ? error.detail : "That did not work. Try again."),
  );
}
