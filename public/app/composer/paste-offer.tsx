import { SquareCode, X } from "lucide";
import type { RefObject } from "preact";
import { Button, IconButton } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { fenceCode, type PastedCode } from "./paste.ts";
import { t } from "../words/translate.ts";

type OfferProps = {
  code: PastedCode;
  area: RefObject<HTMLTextAreaElement | null>;
  onClose(): void;
};

/** Offers to make a code block of pasted text. The offer ends with the next key. */
export function PasteOffer({ code, area, onClose }: OfferProps) {
  return (
    <div class="paste-offer flex absolute surface rounded raised" role="status">
      <Button
        onClick={() => {
          if (area.current) fenceCode(area.current, code);
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
