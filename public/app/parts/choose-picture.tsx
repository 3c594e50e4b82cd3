import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { CropDialog } from "./crop-dialog.tsx";

type ChoosePictureProps = {
  /** The input, which buttons press to choose a file. */
  input: RefObject<HTMLInputElement | null>;
  /** Names the input. */
  label: string;
  /** The title of the dialog in which the picture is cropped. */
  title: string;
  /** The picture is shown as a square; without it as a circle. */
  isSquare?: boolean;
  /** Saves the cropped picture; an error stays in the dialog. */
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
