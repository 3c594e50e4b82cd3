import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadPart } from "../lazy.tsx";

type Props = { anchor: HTMLElement; onPick(emoji: string): void; onClose(): void };

/** Loads the picker when it is first opened. */
export function LazyPicker(props: Props) {
  const [Picker, setPicker] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    loadPart("deferred", import("./picker.tsx")).then(
      ({ EmojiPicker }) => setPicker(() => EmojiPicker),
      () => props.onClose(),
    );
  }, []);
  return Picker ? <Picker {...props} /> : null;
}
