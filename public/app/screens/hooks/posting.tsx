import type { NewIncomingWebhook } from "../../../../src/wire/hooks.ts";
import { Button } from "../../parts/button.tsx";
import { CopyField } from "../../parts/copy-field.tsx";
import { Dialog } from "../../parts/dialog.tsx";

/** The address in the one moment in which it is shown, and how to post to it. */
export function Posting({ hook, onClose }: { hook: NewIncomingWebhook; onClose(): void }) {
  const curl = `curl ${hook.url} \\
  -H "Content-Type: application/json" \\
  -d '{"text": "Hello from *curl*"}'`;
  return (
    <Dialog title={`The address of ${hook.name}`} onClose={onClose}>
      <p>Whoever has it can post here. Keep it like a password: it is not shown again.</p>
      <CopyField label="Address" value={hook.url} />
      <CopyField label="Try it" value={curl} multiline />
      <div class="actions">
        <Button kind="primary" onClick={onClose}>
          I have it
        </Button>
      </div>
    </Dialog>
  );
}
