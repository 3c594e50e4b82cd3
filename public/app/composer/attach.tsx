import { Paperclip } from "lucide";
import { useRef } from "preact/hooks";
import { uploads } from "../session/store.ts";
import { IconButton } from "../parts/button.tsx";
import { t } from "../words/translate.ts";

/** Picks files for the next message. */
export function AttachButton({ roomId }: { roomId: string }) {
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
          void uploads.add(roomId, currentTarget.files ?? []);
          // The same file may be picked again.
          currentTarget.value = "";
        }}
      />
    </>
  );
}

/** Takes in what is pasted as a file, a screenshot say. Text is left to the text field. */
export function pasteFiles(roomId: string, event: ClipboardEvent): void {
  const { files = null, types = [] } = event.clipboardData ?? {};
  // What is copied from a document comes as text and as a picture of it: the text is meant.
  if (!files || files.length === 0 || types.includes("text/plain")) return;
  event.preventDefault();
  void uploads.add(roomId, files);
}
