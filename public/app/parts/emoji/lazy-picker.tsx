import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadRest } from "../load-rest.tsx";

type Props = { anchor: HTMLElement; onPick(emoji: string): void; onClose(): void };

export function LazyPicker(props: Props) {
  const [Picker, setPicker] = useState<ComponentType<Props> | null>(null);
  useEffect(() => {
    loadRest().then(
      ({ EmojiPicker }) => setPicker(() => EmojiPicker),
      () => props.onClose(),
    );
  }, []);
  return Picker ? <Picker {...props} /> : null;
}
