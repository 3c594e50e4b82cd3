import { CircleAlert } from "lucide";
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";
import { Button } from "./button.tsx";
import { focusAbove } from "./return-focus.ts";
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
      <RetryButton onRetry={onRetry} />
    </div>
  );
}

type RetryProps = { kind?: "primary"; onRetry(): void };

/** Loads again what has failed, which removes the button. */
export function RetryButton({ kind, onRetry }: RetryProps) {
  return (
    <Button
      kind={kind}
      onClick={({ currentTarget }) => {
        focusAbove(currentTarget);
        onRetry();
      }}
    >
      {t("try-again")}
    </Button>
  );
}
