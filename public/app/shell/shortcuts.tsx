import { Dialog } from "../parts/dialog.tsx";
import { isApple } from "../parts/menu-list.tsx";
import { t } from "../words/translate.ts";
import type { DialogProps } from "../session/overlay.ts";

const MOD = isApple ? "⌘" : "key.ctrl";

/** The shortcuts by group: their keys, and what they do. Words are keys of the catalogue. */
const GROUPS = [
  [
    "shortcuts.anywhere",
    [
      [[MOD, "K"], "shortcuts.go"],
      [[MOD, "key.shift", "F"], "shortcuts.search"],
      [[MOD, "key.shift", "K"], "direct.new"],
      [["key.alt", "↑ ↓"], "shortcuts.rooms"],
      [["key.alt", "key.shift", "↑ ↓"], "shortcuts.unread"],
      [[MOD, "key.shift", "A"], "shortcuts.activity"],
      [[MOD, "key.shift", "L"], "shortcuts.threads"],
      [["key.shift", "key.esc"], "read-all.action"],
      [[MOD, "/"], "shortcuts.list"],
      [["key.esc"], "close"],
    ],
  ],
  [
    "shortcuts.writing",
    [
      [["key.enter"], "composer.send"],
      [["key.shift", "key.enter"], "shortcuts.new-line"],
      [["↑"], "shortcuts.edit-last"],
      [[MOD, "key.shift", "E"], "shortcuts.react"],
      [["key.esc"], "shortcuts.mark-read"],
      [[MOD, "B"], "format.bold"],
      [[MOD, "I"], "format.italic"],
      [[MOD, "E"], "format.code"],
      [[MOD, "key.shift", "X"], "format.strike"],
      [[MOD, "key.shift", "U"], "format.link"],
      [[MOD, "key.shift", "7"], "format.numbers"],
      [[MOD, "key.shift", "8"], "format.bullets"],
      [[MOD, "key.shift", "9"], "format.quote"],
      [[MOD, "key.alt", "key.shift", "C"], "format.code-block"],
      [["@"], "shortcuts.mention"],
      [["#"], "shortcuts.room"],
      [[":"], "shortcuts.emoji"],
    ],
  ],
  [
    "shortcuts.message",
    [
      [["↑ ↓"], "shortcuts.messages"],
      [["R"], "react"],
      [["Q"], "shortcuts.quote"],
      [["T"], "shortcuts.thread"],
      [["E"], "message.edit"],
      [["S"], "later.save"],
      [["key.shift", "S"], "shortcuts.remind"],
      [["P"], "shortcuts.pin"],
      [["U"], "unread.mark"],
      [["C"], "message.copy"],
      [["L"], "message.copy-link"],
      [["key.delete"], "message.delete"],
    ],
  ],
  [
    "shortcuts.row",
    [
      [["↑ ↓", "key.home", "key.end"], "shortcuts.rows"],
      [["key.enter"], "shortcuts.open-row"],
      [["E"], "shortcuts.finish-row"],
      [["U"], "row.unread"],
      [["S"], "shortcuts.save-row"],
      [["key.shift", "S"], "shortcuts.remind"],
      [["P"], "pin.unpin"],
      [["C"], "message.copy"],
      [["key.delete"], "shortcuts.hide-row"],
    ],
  ],
] as const satisfies [title: string, keys: [keys: string[], words: string][]][];

const NAMED = [
  "key.delete",
  "key.ctrl",
  "key.alt",
  "key.shift",
  "key.enter",
  "key.esc",
  "key.home",
  "key.end",
] as const;

function labelOfKey(key: string): string {
  const namedKey = NAMED.find((item) => item === key);
  return namedKey ? t(namedKey) : key;
}

export function Shortcuts({ onClose }: DialogProps<"shortcuts">) {
  return (
    <Dialog title={t("shortcuts.title")} onClose={onClose}>
      {GROUPS.map(([title, keys]) => (
        <section key={title}>
          <h3>{t(title)}</h3>
          <dl class="shortcuts">
            {keys.map(([combination, words]) => (
              <div key={words}>
                <dt>
                  {combination.map((key) => (
                    <kbd key={key}>{labelOfKey(key)}</kbd>
                  ))}
                </dt>
                <dd>{t(words)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p>
        <a href="/docs/use" target="_blank" rel="noopener">
          {t("shortcuts.docs")}
        </a>
      </p>
    </Dialog>
  );
}
