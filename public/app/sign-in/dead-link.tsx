import { t } from "../words/translate.ts";
import { SignInPage } from "./sign-in-page.tsx";

/** For a link that was used, has expired or never existed. */
export function DeadLink({ text, to, action }: { text: string; to: string; action: string }) {
  return (
    <SignInPage title={t("sign-in.dead-link")} text={text}>
      <a class="button primary wide" href={to}>
        {action}
      </a>
    </SignInPage>
  );
}
