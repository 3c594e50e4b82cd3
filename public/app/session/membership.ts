import type { CallInput } from "../../../src/snug-client/calls.ts";
import { store } from "./store.ts";

type Change = CallInput<"PATCH /api/rooms/:id/membership">["body"];

export function changeMembership(id: string, body: Change): Promise<unknown> {
  return store.call("PATCH /api/rooms/:id/membership", { params: { id }, body });
}
