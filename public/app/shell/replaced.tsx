import { Button } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { t } from "../words/translate.ts";

/** Shown when someone else has signed in to this browser, in another tab. */
export function Replaced() {
  return (
    <main class="sign-in-page">
      <Empty main title={t("replaced.title")} text={t("replaced.text")}>
        <Button kind="primary" onClick={() => location.assign("/")}>
          {t("replaced.go")}
        </Button>
      </Empty>
    </main>
  );
}
