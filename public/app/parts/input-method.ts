/** `keyCode` of each key that an input method handles: https://www.w3.org/TR/uievents/#determine-keydown-keyup-keyCode */
const HANDLED_BY_INPUT_METHOD = 229;

/**
 * Whether a key belongs to an input method, as for Japanese: Enter then confirms a word, Esc
 * discards it, and arrows select another. In Safari the composition ends before the event of the
 * key that ends it, so only the key's code reveals it.
 */
function isOfInputMethod({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === HANDLED_BY_INPUT_METHOD;
}

/** Hides keys of input methods from all other handlers of the page, which run after this one. */
export function leaveKeysToInputMethods(): void {
  const leave = (event: KeyboardEvent) => {
    if (isOfInputMethod(event)) event.stopImmediatePropagation();
  };
  addEventListener("keydown", leave, { capture: true });
}
