import { loadRest } from "../parts/load-rest.tsx";
import { showError } from "../session/toasts.ts";

/**
 * Runs a text that is a command, such as `/remind`.
 * @param onDone called when it was done and the text is not needed any more
 * @returns false if it is not a command
 */
export function runCommand(text: string, onDone: () => void): boolean {
  if (!/^\/remind(?=\s|$)/i.test(text)) return false;
  void loadRest()
    .then(({ remindMe }) => remindMe(text))
    .then((isDone) => isDone && onDone())
    .catch(showError);
  return true;
}
