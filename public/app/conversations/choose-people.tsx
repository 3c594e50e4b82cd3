import { X } from "lucide";
import { useEffect, useRef, useState } from "preact/hooks";
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

/**
 * A field of people: Enter adds the highlighted person, arrows move, Backspace removes the last.
 */
export function ChoosePeople({ chosen, without, most, onChange, onDone }: ChooseProps) {
  const [query, setQuery] = useState("");
  const [matches, setMatches] = useState<{ text: string; users: User[] }>({ text: "", users: [] });
  const action = useAction();
  const typed = query.trim().replace(/^@/, "");
  const text = useDebounced(typed);
  /** The text for which Enter was pressed before its people were loaded. */
  const entered = useRef<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void action.run(async () => {
      const page = await store.call("GET /api/users", { query: { query: text, limit: 20 } });
      if (isCurrent) setMatches({ text, users: page.items });
    });
    return () => {
      isCurrent = false;
    };
  }, [text]);
  const out = new Set([...without, ...chosen.map((user) => user.id)]);
  // Enter in the empty field opens the conversation, so no suggestion is highlighted there once
  // someone is chosen.
  const isOffering = chosen.length < most && (query.trim() !== "" || chosen.length === 0);
  const offered = isOffering ? matches.users.filter((user) => !out.has(user.id)).slice(0, 8) : [];
  const combobox = useCombobox(offered, (user) => {
    onChange([...chosen, user]);
    setQuery("");
    combobox.reset();
  });
  useEffect(() => {
    if (entered.current !== matches.text) return;
    entered.current = null;
    if (offered[0]) combobox.choose(offered[0]);
  }, [matches]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && matches.text !== typed) {
      // The displayed people match an earlier text.
      entered.current = typed;
      event.preventDefault();
      return;
    }
    if (combobox.onKeyDown(event)) return;
    if (event.key === "Enter") {
      if (query.trim() === "" && chosen.length > 0) onDone();
    } else if (event.key === "Backspace" && query === "") onChange(chosen.slice(0, -1));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div class="people-field flex outlined wrap">
        {chosen.map((user) => (
          <button
            key={user.id}
            type="button"
            class="person-chip gap-4 small"
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
            entered.current = null;
            combobox.reset();
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {chosen.length >= most && <p class="muted small">{t("direct.full")}</p>}
      <ComboboxList
        combobox={combobox}
        label={t("search.people")}
        class="choices scroll"
        optionClass="choice hover gap-12 rounded"
        keyOf={(user) => user.id}
      >
        {(user) => (
          <>
            <Avatar user={user} size={24} />
            <span class="grow truncate" dir="auto">
              {nameOf(user)} <bdi class="muted small">@{user.username}</bdi>
            </span>
            {user.is_bot && <span class="tag">{t("members.bot")}</span>}
          </>
        )}
      </ComboboxList>
      {text !== "" && offered.length === 0 && chosen.length < most && (
        <p class="muted">{t("choose.none")}</p>
      )}
    </>
  );
}
