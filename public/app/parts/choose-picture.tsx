import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { CropDialog } from "./crop-dialog.tsx";

type ChoosePictureProps = {
  /** The file input, which the caller's buttons click. */
  input: RefObject<HTMLInputElement | null>;
  label: string;
  /** The title of the dialog in which the picture is cropped. */
  title: string;
  /** The picture is shown as a square; without it as a circle. */
  isSquare?: boolean;
  /** Saves the cropped picture; the dialog shows its error. */
  onSave(body: FormData): Promise<unknown>;
};

/** Lets someone choose a picture from their device, and crop it. */
export function ChoosePicture({ input, label, title, isSquare, onSave }: ChoosePictureProps) {
  const [file, setFile] = useState<File | null>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
        aria-label={label}
        hidden
        onChange={({ currentTarget }) => {
          setFile(currentTarget.files?.[0] ?? null);
          currentTarget.value = "";
        }}
      />
      {file && (
        <CropDialog
          file={file}
          title={title}
          isSquare={isSquare}
          onSave={onSave}
          onClose={() => setFile(null)}
        />
      )}
    </>
  );
}
