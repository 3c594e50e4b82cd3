import { Button } from "../../parts/button.tsx";
import { toast } from "../../app.ts";

type SecretProps = { secret: string; text: string; onDone(): void };

/** A secret in the one moment in which it is shown. */
export function Secret({ secret, text, onDone }: SecretProps) {
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => toast("The secret is copied."),
      () => toast("It could not be copied. Select it and copy it yourself."),
    );
  return (
    <div class="form">
      <p>{text}</p>
      <code class="secret">{secret}</code>
      <div class="actions">
        <Button onClick={() => void copy()}>Copy</Button>
        <Button kind="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
