import { CircleAlert } from "lucide";
import { computed } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Redirect, route } from "../session/navigation.ts";
import { proofQuestion } from "../session/proof.ts";
import { store } from "../session/store.ts";
import { Boundary } from "../session/boundary.tsx";
import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { lazy } from "../parts/load-chunk.tsx";
import { quietRest, rest } from "../parts/load-rest.tsx";
import { Shell } from "./shell.tsx";
import { t } from "../words/translate.ts";

const Toasts = quietRest("Toasts");

const SignedOut = lazy("sign-in/signed-out.tsx", "SignedOut");
const OpenProof = lazy("sign-in/proof-dialog.tsx", "OpenProof");
const Restricted = lazy("profile/security/security.tsx", "Restricted");
const Replaced = rest("Replaced");

/**
 * The key of all screens: a page restored from the browser's cache may belong to another person,
 * whose components must not be reused.
 */
const personId = computed(() => store.me.value?.id);

/** Chooses the screen, first by the session, then by the address. */
export function App() {
  return (
    <>
      <Boundary
        of={route.value.name}
        main
        frame={(fault) => <main class="sign-in-page">{fault}</main>}
      >
        <Screen />
      </Boundary>
      {proofQuestion.value && <OpenProof />}
      <Toasts />
    </>
  );
}

function Screen() {
  const phase = store.phase.value;
  const here = route.value;
  /** Whether another screen was shown earlier, such as the sign-in. */
  const isEntered = useRef(false);
  /** The screen that was shown before the session was checked again. */
  const before = useRef(phase);
  if (phase === "signed-out" || here.name === "signup") isEntered.current = true;
  if (phase === "replaced") return <Replaced />;
  if (/^(?:signup|reset|forgot)$/.test(here.name)) return <SignedOut />;
  const isRetry = phase === "starting" && before.current === "unreachable";
  if (!isRetry) before.current = phase;
  if (phase === "unreachable" || isRetry) return <Unreachable isBusy={isRetry} />;
  if (phase === "starting") return <main class="sign-in-page" aria-busy="true" />;
  if (phase === "signed-out") return <SignedOut />;
  if (phase === "restricted") return <Restricted />;
  if (here.name === "signin") return <Redirect to="/" />;
  return <Shell key={personId.value} isEntered={isEntered.current} />;
}

/** Stays visible while the session is checked again. */
function Unreachable({ isBusy }: { isBusy: boolean }) {
  return (
    <main class="sign-in-page">
      <Empty icon={CircleAlert} main title={t("unreachable.title")} text={t("unreachable.text")}>
        <Button
          kind="primary"
          busy={isBusy}
          onClick={() => {
            store.phase.value = "starting";
            void store.start();
          }}
        >
          {t("try-again")}
        </Button>
      </Empty>
    </main>
  );
}
