import type { File as StoredFile, Image } from "../../../../src/wire/models.ts";
import { lazy } from "../../parts/lazy.tsx";
import { kindOf } from "./file-kind.ts";
import { MessageImage } from "./image.tsx";

/** Its icons and players are loaded with the first file. */
const MessageFile = lazy("deferred", () => import("./file.tsx").then((m) => m.MessageFile), {
  quiet: true,
});

type AttachmentsProps = { image: Image | null; file: StoredFile | null; alt: string };

/** The image and the file of a message. */
export function Attachments({ image, file, alt }: AttachmentsProps) {
  if (!image && !file) return null;
  return (
    <div class="attachments">
      {image && <MessageImage image={image} alt={alt} />}
      {file && (
        <div class="file" data-kind={kindOf(file.mime)}>
          <MessageFile file={file} />
        </div>
      )}
    </div>
  );
}
