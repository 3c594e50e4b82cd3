import { SquareCode, X } from "lucide";
import { Button, IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { t } from "../words/translate.ts";

type OfferProps = { onTake(): void; onClose(): void };

/** Offers to make a code block of what was pasted. It is gone with the next key. */
export function PasteOffer({ onTake, onClose }: OfferProps) {
  return (
    <div class="paste-offer" role="status">
      <Button
        onClick={() => {
          onTake();
          onClose();
        }}
      >
        <Icon of={SquareCode} />
        {t("format.make-block")}
      </Button>
      <IconButton icon={X} label={t("close")} onClick={onClose} />
    </div>
  );
}
