import { SmilePlus } from "lucide";
import { useRef, useState } from "preact/hooks";
import type { Message, Reaction } from "../../../src/wire/models.ts";
import { store } from "../session/store.ts";
import { LazyPicker } from "../parts/emoji/lazy-picker.tsx";
import { Icon } from "../parts/icon.tsx";
import { findUser, nameOf } from "../session/person.tsx";
import { loadRest } from "../parts/load-rest.tsx";
import { showError } from "../session/toasts.ts";
import { getNumberFormat } from "../words/intl.ts";
import { formatList, currentLocale, t } from "../words/translate.ts";

const MAX_NAMES = 12;

/** Adds or removes the reader's reaction. Its code is loaded on first use. */
export function toggleOn(message: Message, emoji: string): void {
  loadRest()
    .then(({ toggleReaction }) => store.attach((deps) => toggleReaction(deps, message, emoji)))
    .catch(showError);
}

export function Reactions({ message, disabled }: { message: Message; disabled: boolean }) {
  if (message.reactions.length === 0) return null;
  return (
    <div class="reactions flex gap-4 wrap">
      {message.reactions.map((reaction) => (
        <Pill key={reaction.emoji} message={message} reaction={reaction} disabled={disabled} />
      ))}
      {!disabled && (
        <AddReaction message={message} class="reaction surface reach gap-4 small add muted" />
      )}
    </div>
  );
}

type PillProps = { message: Message; reaction: Reaction; disabled: boolean };

function Pill({ message, reaction: { emoji, count, user_ids }, disabled }: PillProps) {
  const me = store.me.value?.id ?? "";
  const isMine = user_ids.includes(me);
  const names = namesOf(user_ids, me);
  return (
    <button
      type="button"
      class="reaction surface reach gap-4 small"
      data-emoji={emoji}
      aria-pressed={isMine}
      disabled={disabled}
      data-tooltip={names}
      aria-label={t("react.who", { emoji, count, names })}
      onClick={() => toggleOn(message, emoji)}
    >
      <span>{emoji}</span>
      <span class="digits strong">{getNumberFormat(currentLocale()).format(count)}</span>
    </button>
  );
}

/**
 * The names of people who reacted: the reader first, then loaded users, then the number of others.
 */
export function namesOf(userIds: string[], me: string): string {
  const nameFor = (id: string) => {
    const user = findUser(id);
    return user && nameOf(user);
  };
  const names = userIds
    .toSorted((a, b) => Number(b === me) - Number(a === me))
    .slice(0, MAX_NAMES)
    .map((id) => (id === me ? t("react.you") : nameFor(id)))
    .filter((name) => name !== undefined);
  const others = userIds.length - names.length;
  if (others > 0) names.push(t("count-more", { count: others }));
  return formatList(names);
}

type AddProps = { message: Message; class: string; onDone?(): void };

export function AddReaction({ message, class: name, onDone }: AddProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const hasPicked = useRef(false);
  const isTool = name === "icon-button";
  return (
    <>
      <button
        ref={button}
        type="button"
        class={name}
        data-tooltip={t("react")}
        aria-keyshortcuts={isTool ? "R" : undefined}
        aria-label={t("react")}
        aria-expanded={open}
        onClick={() => {
          hasPicked.current = false;
          setOpen(!open);
        }}
      >
        <Icon of={SmilePlus} />
      </button>
      {open && button.current && (
        <LazyPicker
          anchor={button.current}
          onPick={(emoji) => {
            toggleOn(message, emoji);
            hasPicked.current = true;
            onDone?.();
          }}
          onClose={() => {
            setOpen(false);
            // After a reaction, the next key should go to the message of the toolbar.
            const isDone = isTool && hasPicked.current;
            const row = isDone && button.current?.closest<HTMLElement>("[data-message-id]");
            (row || button.current)?.focus();
          }}
        />
      )}
    </>
  );
}
