/** The state and the address of the current entry of the browser history; while `popstate` fires, of the one that was left. */
export let state: History["state"];
export let address = "";

/** Call after every change of the current entry. */
export function readEntry(): void {
  ({ state } = history);
  address = location.href;
}
