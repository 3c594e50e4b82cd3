import { Paperclip } from "lucide";
import { useRef } from "preact/hooks";
import { IconButton } from "../parts/button.tsx";
import { t } from "../words/translate.ts";

type AttachProps = { onFiles: (files: Iterable<File>) => void };

export function AttachButton({ onFiles }: AttachProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton
        icon={Paperclip}
        label={t("files.attach")}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // Otherwise the same file could not be picked again.
          currentTarget.value = "";
        }}
      />
    </>
  );
}

/** Attaches pasted files, such as screenshots. @returns false for text, which goes to the text field */
export function pasteFiles(
  event: ClipboardEvent,
  onFiles: (files: Iterable<File>) => void,
): boolean {
  const { files = null, types = [] } = event.clipboardData ?? {};
  // Office programs also copy an image of the text, but the text is wanted.
  if (!files || files.length === 0 || types.includes("text/plain")) return false;
  event.preventDefault();
  onFiles([...files]);
  return true;
}
