import { CircleAlert } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";
import { Button } from "./button.tsx";
import { t } from "../words/translate.ts";

/** An error message, announced by screen readers. */
export function ErrorText({ id, children }: { id?: string; children: ComponentChildren }) {
  return (
    <p class="error small" id={id} role="alert">
      <Icon of={CircleAlert} />
      <span>{children}</span>
    </p>
  );
}

/** Says why something did not load, with a button that loads it again. */
export function LoadError({ text, onRetry }: { text: string; onRetry(): void }) {
  return (
    <div class="load-error stack gap-12">
      <ErrorText>{text}</ErrorText>
      <Button onClick={onRetry}>{t("try-again")}</Button>
    </div>
  );
}
