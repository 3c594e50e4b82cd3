import { showToast } from "./toasts.ts";
import { t } from "../words/translate.ts";

/** Copies a text, and says so. */
export function copyText(text: string, done = t("message.copied")): void {
  navigator.clipboard.writeText(text).then(
    () => showToast(done),
    () => showToast(t("message.no-copy")),
  );
}
