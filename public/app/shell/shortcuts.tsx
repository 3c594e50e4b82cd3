import { Dialog } from "../parts/dialog.tsx";
import { t } from "../words/translate.ts";

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const MOD = isApple ? "⌘" : "key.ctrl";

/** By the keys of their words; what is none is written on the key itself. */
const GROUPS = [
  [
    "keys.anywhere",
    [
      [[MOD, "K"], "keys.go"],
      [["?"], "keys.list"],
      [["key.esc"], "keys.close"],
    ],
  ],
  [
    "keys.writing",
    [
      [["key.enter"], "keys.send"],
      [["key.shift", "key.enter"], "keys.new-line"],
      [["↑"], "keys.edit-last"],
      [["key.esc"], "keys.mark-read"],
      [[MOD, "B"], "keys.bold"],
      [[MOD, "I"], "keys.italic"],
      [[MOD, "E"], "keys.code"],
      [[MOD, "key.shift", "X"], "keys.struck"],
      [[MOD, "key.shift", "K"], "keys.link"],
      [["@"], "keys.mention"],
      [["#"], "keys.room"],
      [[":"], "keys.emoji"],
    ],
  ],
] as const satisfies [title: string, keys: [keys: string[], words: string][]][];

const NAMED = ["key.ctrl", "key.shift", "key.enter", "key.esc"] as const;

function nameOfKey(key: string): string {
  const named = NAMED.find((one) => one === key);
  return named ? t(named) : key;
}

/** What the keyboard can do. */
export function Shortcuts({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={t("keys.title")} onClose={onClose}>
      {GROUPS.map(([title, keys]) => (
        <section key={title}>
          <h3>{t(title)}</h3>
          <dl class="shortcuts">
            {keys.map(([combination, words]) => (
              <div key={words}>
                <dt>
                  {combination.map((key) => (
                    <kbd key={key}>{nameOfKey(key)}</kbd>
                  ))}
                </dt>
                <dd>{t(words)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
