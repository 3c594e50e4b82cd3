import { writeClipboard } from "../parts/clipboard.ts";
import { showToast } from "./toasts.ts";
import { t } from "../words/translate.ts";

export function copyText(text: string, done = t("message.copied")): void {
  void writeClipboard(text).then((isCopied) => showToast(isCopied ? done : t("message.no-copy")));
}
