import { Dialog } from "../parts/dialog.tsx";

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const MOD = isApple ? "⌘" : "Ctrl";

const GROUPS: [title: string, keys: [keys: string[], words: string][]][] = [
  [
    "Anywhere",
    [
      [[MOD, "K"], "Go to a room, a person or an action"],
      [["?"], "This list"],
      [["Esc"], "Close what is open"],
    ],
  ],
  [
    "Writing",
    [
      [["Enter"], "Send"],
      [["Shift", "Enter"], "A new line"],
      [["↑"], "Edit your last message, where nothing is written"],
      [["Esc"], "Mark the room read"],
      [[MOD, "B"], "Bold"],
      [[MOD, "I"], "Italic"],
      [[MOD, "E"], "Code"],
      [[MOD, "Shift", "X"], "Struck through"],
      [[MOD, "Shift", "K"], "A link"],
      [["@"], "Mention someone"],
      [["#"], "Name a room"],
      [[":"], "An emoji by its name"],
    ],
  ],
];

/** What the keyboard can do. */
export function Shortcuts({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      {GROUPS.map(([title, keys]) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl class="shortcuts">
            {keys.map(([combination, words]) => (
              <div key={words}>
                <dt>
                  {combination.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
