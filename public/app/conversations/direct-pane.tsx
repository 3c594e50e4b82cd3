import { MessagesSquare } from "lucide";
import { useEffect } from "preact/hooks";
import { Empty } from "../parts/empty.tsx";
import { rest } from "../parts/load-rest.tsx";
import { Redirect } from "../session/navigation.ts";
import { PaneHead } from "../session/pane-head.tsx";
import { store } from "../session/store.ts";
import { type Route, roomPath } from "../state/route.ts";
import { ConversationScreen } from "./conversation-screen.tsx";
import { t } from "../words/translate.ts";

const DirectHome = rest("DirectHome");
const NewDirect = rest("NewDirect");

type PaneProps = { here: Extract<Route, { name: "direct" }> };

export function DirectPane({ here }: PaneProps) {
  const { id, more } = here;
  if (id === "") return <DirectHome />;
  if (id === "to") return <NewDirect key={more} userIds={(more ?? "").split(",")} />;
  return <OneDirect key={id} id={id} messageId={more} />;
}

/**
 * The conversation of an address, which may be in the list, hidden, turned into a room, or not the
 * reader's.
 */
function OneDirect({ id, messageId }: { id: string; messageId: string | null }) {
  const { conversations } = store.state.value;
  const isLoaded = conversations !== null;
  const conversation = conversations?.[id];
  useEffect(() => {
    if (isLoaded && !conversation) store.conversations.loadDirect(id);
  }, [isLoaded, conversation === undefined]);
  if (conversation?.kind === "direct") {
    return <ConversationScreen conversation={conversation} messageId={messageId} />;
  }
  if (conversation) return <Redirect to={roomPath(conversation.name, messageId ?? undefined)} />;
  if (store.conversations.unknownDirect.value !== id)
    return <section class="pane" aria-busy="true" />;
  return (
    <section class="pane">
      <PaneHead />
      <Empty icon={MessagesSquare} main title={t("direct.unknown")} text={t("direct.unknown-text")}>
        <a class="button primary" href="/direct">
          {t("direct.to-all")}
        </a>
      </Empty>
    </section>
  );
}
