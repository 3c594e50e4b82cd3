import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { User } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Avatar, nameOf } from "../session/person.tsx";
import { RowText } from "../parts/row-text.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { useAction } from "../parts/use-action.ts";
import { useDebounced } from "../parts/use-debounced.ts";
import { t } from "../words/translate.ts";

type ChoosePersonProps = {
  title: string;
  text?: string;
  /** The label of the button beside each person. */
  action: string;
  /** Whether a person cannot be chosen, such as a member. */
  isDisabled(user: User): boolean;
  /** Shown instead of the button for someone who cannot be chosen. */
  disabledLabel?(user: User): string;
  /** Called with the chosen person. The dialog then closes, unless `stays` is set. */
  onChosen(user: User): Promise<unknown>;
  stays?: boolean;
  /** Below the people. */
  footer?: ComponentChildren;
  onClose(): void;
};

export function ChoosePerson(props: ChoosePersonProps) {
  const {
    title,
    text,
    action: label,
    isDisabled,
    disabledLabel,
    onChosen,
    stays,
    footer,
    onClose,
  } = props;
  const [query, setQuery] = useState("");
  const [matches, setMatches] = useState<User[] | null>(null);
  const action = useAction();
  const settledQuery = useDebounced(query);
  useEffect(() => {
    let isCurrent = true;
    void action.run(async () => {
      const page = await store.call("GET /api/users", {
        query: { query: settledQuery, limit: 20 },
      });
      if (isCurrent) setMatches(page.items);
    });
    return () => {
      isCurrent = false;
    };
  }, [settledQuery]);
  const choose = (user: User) =>
    action.run(async () => {
      await onChosen(user);
      if (!stays) onClose();
    });
  return (
    <Dialog title={title} onClose={onClose}>
      {text && <p class="muted">{text}</p>}
      <SearchBox
        label={t("search-by-name")}
        placeholder={t("search-by-name")}
        value={query}
        onValue={setQuery}
        autofocus
      />
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {matches?.length === 0 && <p class="muted">{t("choose.none")}</p>}
      <ul class="list">
        {matches?.map((user) => (
          <li key={user.id}>
            <Avatar user={user} />
            <RowText title={nameOf(user)}>@{user.username}</RowText>
            {isDisabled(user) ? (
              disabledLabel && <span class="tag">{disabledLabel(user)}</span>
            ) : (
              <Button onClick={() => void choose(user)}>
                {label} <span class="visually-hidden">{nameOf(user)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {footer && <p>{footer}</p>}
    </Dialog>
  );
}
