import { signal } from "@preact/signals";

/**
 * The dialogs without an address of their own, and what each of them needs. The file of a dialog
 * declares it here, and `shell/dialogs.tsx` has its component.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the files of the dialogs fill it
export interface Dialogs {}

/** The props of a dialog. */
export type DialogProps<Name extends keyof Dialogs> = Dialogs[Name] & { onClose(): void };

/** An open dialog, with what it needs. */
export type Overlay = { [Name in keyof Dialogs]: { name: Name } & Dialogs[Name] }[keyof Dialogs];

export const overlay = signal<Overlay | null>(null);

/** What was typed after Ctrl or Cmd and K, while the code of the switcher was still loading. */
export const typedAhead = signal("");
