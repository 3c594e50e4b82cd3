import type { File as StoredFile, Image } from "../../../../src/wire/models.ts";
import { kindOf, MessageFile } from "./file.tsx";
import { MessageImage } from "./image.tsx";

type AttachmentsProps = { image: Image | null; file: StoredFile | null; alt: string };

export function Attachments({ image, file, alt }: AttachmentsProps) {
  if (!image && !file) return null;
  return (
    <div class="attachments stack">
      {image && <MessageImage image={image} alt={alt} />}
      {file && (
        <div class="file stack" data-kind={kindOf(file.mime)}>
          <MessageFile file={file} />
        </div>
      )}
    </div>
  );
}
