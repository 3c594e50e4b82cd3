import { expect, test } from "bun:test";
import { showToast, toasts } from "../../public/app/session/toasts.ts";

test("a text is shown once at a time, but for each action that can be undone", () => {
  const texts = () => toasts.value.map(({ text }) => text);
  showToast("That message was deleted.");
  showToast("Copied.");
  showToast("That message was deleted.");
  expect(texts()).toEqual(["Copied.", "That message was deleted."]);
  showToast("Saved.", () => {});
  showToast("Saved.", () => {});
  expect(texts()).toEqual(["Copied.", "That message was deleted.", "Saved.", "Saved."]);
  toasts.value = [];
});
