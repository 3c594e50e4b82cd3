import { X } from "lucide";
import { useEffect, useId, useState } from "preact/hooks";
import type { User } from "../../../src/wire/models.ts";
import { ErrorText } from "../parts/error-text.tsx";
import { Icon } from "../parts/icon.tsx";
import { Avatar, nameOf } from "../parts/person.tsx";
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
  const [found, setFound] = useState<User[]>([]);
  const [at, setAt] = useState(0);
  const action = useAction();
  const wanted = useDebounced(query).trim().replace(/^@/, "");
  const id = useId();
  useEffect(() => {
    void action.run(async () => {
      const page = await store.api.call("GET /api/users", { query: { query: wanted, limit: 20 } });
      setFound(page.items);
    });
  }, [wanted]);
  const out = new Set([...without, ...chosen.map((user) => user.id)]);
  // Enter in the empty field opens the conversation, so no suggestion is marked there once someone
  // is chosen.
  const isOffering = chosen.length < most && (query.trim() !== "" || chosen.length === 0);
  const shown = isOffering ? found.filter((user) => !out.has(user.id)).slice(0, 8) : [];
  const current = Math.min(at, shown.length - 1);
  const add = (user: User | undefined) => {
    if (!user) return;
    onChange([...chosen, user]);
    setQuery("");
    setAt(0);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") {
      if (query.trim() === "" && chosen.length > 0) onDone();
      else add(shown[current]);
    } else if (event.key === "Backspace" && query === "") onChange(chosen.slice(0, -1));
    else if (step && shown.length > 0) setAt((current + step + shown.length) % shown.length);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div class="people-field">
        {chosen.map((user) => (
          <button
            key={user.id}
            type="button"
            class="person-chip"
            aria-label={t("direct.remove", { name: nameOf(user) })}
            onClick={() => onChange(chosen.filter((one) => one.id !== user.id))}
          >
            <Avatar user={user} size={20} />
            <span class="truncate" dir="auto">
              {nameOf(user)}
            </span>
            <Icon of={X} />
          </button>
        ))}
        <input
          type="text"
          role="combobox"
          aria-label={t("direct.to")}
          aria-expanded={shown.length > 0}
          aria-controls={id}
          aria-activedescendant={shown[current] ? `${id}-${current}` : undefined}
          placeholder={chosen.length === 0 ? t("direct.to") : ""}
          autocomplete="off"
          autofocus
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {action.error && <ErrorText>{action.error}</ErrorText>}
      {chosen.length >= most && <p class="muted small">{t("direct.full")}</p>}
      <div class="choices" id={id} role="listbox" aria-label={t("direct.people-found")}>
        {shown.map((user, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, which keeps the focus
          <div
            key={user.id}
            id={`${id}-${i}`}
            class="choice"
            role="option"
            tabIndex={-1}
            aria-selected={i === current}
            onClick={() => add(user)}
          >
            <Avatar user={user} size={24} />
            <span class="grow truncate">
              <bdi>{nameOf(user)}</bdi> <span class="muted small">@{user.username}</span>
            </span>
            {user.is_bot && <span class="tag">{t("person.bot")}</span>}
          </div>
        ))}
      </div>
      {wanted !== "" && shown.length === 0 && chosen.length < most && (
        <p class="muted">{t("choose.none")}</p>
      )}
    </>
  );
}
