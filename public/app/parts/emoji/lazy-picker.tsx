import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadPart } from "../lazy.tsx";

type Props = { anchor: HTMLElement; onPick(emoji: string): void; onClose(): void };

/** The picker, with its code: loaded when somebody wants to choose for the first time. */
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
