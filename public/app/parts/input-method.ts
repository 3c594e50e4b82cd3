/** `keyCode` of each key that an input method handles: https://www.w3.org/TR/uievents/#determine-keydown-keyup-keyCode */
const HANDLED_BY_INPUT_METHOD = 229;

/**
 * Whether a key belongs to an input method, as for Japanese: Enter confirms a word then, Esc drops it, and
 * arrows choose another one. In Safari the composition ends before the event of the key that ends it, so
 * that only the code of the key says so.
 */
function isOfInputMethod({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === HANDLED_BY_INPUT_METHOD;
}

/** Keeps the keys of input methods from all handlers of the page, which see a key only after this. */
export function leaveKeysToInputMethods(): void {
  const leave = (event: KeyboardEvent) => {
    if (isOfInputMethod(event)) event.stopImmediatePropagation();
  };
  addEventListener("keydown", leave, { capture: true });
}
