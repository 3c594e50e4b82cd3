import { computed } from "@preact/signals";
import { conversationById, roomByName } from "../state/model/model.ts";
import { background } from "./navigation.ts";
import { store } from "./store.ts";

/** The room or direct conversation of the address, if I am in it. */
export const openConversation = computed(() => {
  const here = background.value.route;
  if (here.name === "direct") return conversationById(store.state.value, here.id);
  return here.name === "room" ? roomByName(store.state.value, here.room) : undefined;
});
