import { Button } from "./button.tsx";
import { ErrorText } from "./error-text.tsx";
import { t } from "../words/translate.ts";

/** Says why something did not load, with a button that loads it again. */
export function LoadError({ text, onRetry }: { text: string; onRetry(): void }) {
  return (
    <div class="load-error">
      <ErrorText>{text}</ErrorText>
      <Button onClick={onRetry}>{t("try-again")}</Button>
    </div>
  );
}
