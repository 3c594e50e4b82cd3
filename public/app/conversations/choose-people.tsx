import { X } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { User } from "../../../src/wire/models.ts";
import { ComboboxList, comboboxInput, useCombobox } from "../parts/combobox.tsx";
import { ErrorText } from "../parts/error-text.tsx";
import { Icon } from "../parts/icon.tsx";
import { Avatar, nameOf } from "../session/person.tsx";
import { useAction } from "../parts/use-action.ts";
import { useDebounced } from "../parts/use-debounced.ts";
import { store } from "../session/store.ts";
import { t } from "../words/translate.ts";

type ChooseProps = {
  chosen: User[];
  /** People who are not offered. */
  without: string[];
  most: number;
  onChange(chosen: User[]): void;
  /** Called for Enter in the empty field. */
  onDone(): void;
};

/** A field of people: Enter adds the marked one, arrows move, Backspace removes the last. */
export function ChoosePeople({ chosen, without, most, onChange, onDone }: ChooseProps) {
  const [query, setQuery] = useState("");
  const [matches, setMatches] = useState<User[]>([]);
  const action = useAction();
  const text = useDebounced(query).trim().replace(/^@/, "");
  useEffect(() => {
    void action.run(async () => {
      const page = await store.call("GET /api/users", { query: { query: text, limit: 20 } });
      setMatches(page.items);
    });
  }, [text]);
  const out = new Set([...without, ...chosen.map((user) => user.id)]);
  // Enter in the empty field opens the conversation, so no suggestion is marked there once someone
  // is chosen.
  const isOffering = chosen.length < most && (query.trim() !== "" || chosen.length === 0);
  const offered = isOffering ? matches.filter((user) => !out.has(user.id)).slice(0, 8) : [];
  const combobox = useCombobox(offered, (user) => {
    onChange([...chosen, user]);
    setQuery("");
    combobox.reset();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (combobox.onKeyDown(event)) return;
    if (event.key === "Enter") {
      if (query.trim() === "" && chosen.length > 0) onDone();
    } else if (event.key === "Backspace" && query === "") onChange(chosen.slice(0, -1));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div class="people-field wrap">
        {chosen.map((user) => (
          <button
            key={user.id}
            type="button"
            class="person-chip"
            aria-label={t("direct.remove", { name: nameOf(user) })}
            onClick={() => onChange(chosen.filter((item) => item.id !== user.id))}
          >
            <Avatar user={user} size={20} />
            <span class="truncate" dir="auto">
              {nameOf(user)}
            </span>
            <Icon of={X} />
          </button>
        ))}
        <input
          {...comboboxInput(combobox)}
          aria-label={t("direct.to")}
          placeholder={chosen.length === 0 ? t("direct.to") : ""}
          autofocus
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            combobox.reset();
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {chosen.length >= most && <p class="muted small">{t("direct.full")}</p>}
      <ComboboxList
        combobox={combobox}
        label={t("direct.people-found")}
        class="choices"
        optionClass="choice"
        keyOf={(user) => user.id}
      >
        {(user) => (
          <>
            <Avatar user={user} size={24} />
            <span class="grow truncate" dir="auto">
              {nameOf(user)} <bdi class="muted small">@{user.username}</bdi>
            </span>
            {user.is_bot && <span class="tag">{t("person.bot")}</span>}
          </>
        )}
      </ComboboxList>
      {text !== "" && offered.length === 0 && chosen.length < most && (
        <p class="muted">{t("choose.none")}</p>
      )}
    </>
  );
}
