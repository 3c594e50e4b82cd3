import { Paperclip } from "lucide";
import { useRef } from "preact/hooks";
import { uploads } from "../session/uploads.ts";
import { IconButton } from "../parts/button.tsx";
import { t } from "../words/translate.ts";

type AttachProps = { roomId: string; onFiles?: (files: Iterable<File>) => void };

/** Attaches files to the next message, unless something else is to be done with them. */
export function AttachButton({
  roomId,
  onFiles = (files) => void uploads.add(roomId, files),
}: AttachProps) {
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
  roomId: string,
  event: ClipboardEvent,
  onFiles: (files: Iterable<File>) => void = (files) => void uploads.add(roomId, files),
): boolean {
  const { files = null, types = [] } = event.clipboardData ?? {};
  // Office programs copy text together with an image of it: the text is wanted.
  if (!files || files.length === 0 || types.includes("text/plain")) return false;
  event.preventDefault();
  onFiles([...files]);
  return true;
}
