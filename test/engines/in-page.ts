import { computeAccessibleName, getRole } from "dom-accessibility-api";

/** Finds an element by its role and a regular expression for its whole accessible name. */
export type Target = { role: string; name?: string; within?: string };
export type Box = { x: number; y: number; width: number; height: number };

/** What the page has complained about. */
const errors: string[] = [];
const note = (text: string) => void errors.push(text);

window.addEventListener(
  "error",
  ({ message, target }) => note(message || `not loaded: ${(target as Element).outerHTML}`),
  true,
);
window.addEventListener("unhandledrejection", ({ reason }) =>
  note(`unhandled rejection: ${reason}`),
);
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  note(`refused by the policy: ${violatedDirective} ${blockedURI}`),
);
const { error } = console;
console.error = (...said: unknown[]) => {
  note(said.map(String).join(" "));
  error(...said);
};

/** What is shown with this role and name, in the order of the page. */
function find({ role, name = ".*", within = "body" }: Target): Element[] {
  const pattern = new RegExp(`^(?:${name})$`, "s");
  return [...document.querySelectorAll(`${within} *`)].filter(
    (element) =>
      getRole(element) === role &&
      element.checkVisibility({ visibilityProperty: true }) &&
      pattern.test(computeAccessibleName(element)),
  );
}

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));

/** Looks at each frame whether a condition holds. @returns its value, or null once `limitMs` have passed */
async function until<T>(holds: () => T, limitMs: number): Promise<T | null> {
  const end = performance.now() + limitMs;
  for (;;) {
    const value = holds();
    if (value) return value;
    if (performance.now() > end) return null;
    await nextFrame();
  }
}

/** Where an element is, once it has kept its place for two frames. Null if it is not shown in time. */
async function boxAtRest(target: Target, limitMs: number): Promise<Box | null> {
  let before = "";
  return until(() => {
    const rect = find(target)[0]?.getBoundingClientRect();
    if (!rect) return null;
    const { x, y, width, height } = rect;
    const now = JSON.stringify([x, y, width, height]);
    const rests = now === before;
    before = now;
    return rests && { x, y, width, height };
  }, limitMs) as Promise<Box | null>;
}

/** How many frames a list keeps its place before a scroll has ended: smooth scrolling begins late. */
const REST_FRAMES = 10;

/** Waits until nothing around an element scrolls any more. @returns false if it takes too long */
async function scrollAtRest(target: Target, limitMs: number): Promise<boolean> {
  let before = Number.NaN;
  let frames = 0;
  const rests = () => {
    let now = 0;
    for (let at: Element | null = find(target)[0] ?? null; at; at = at.parentElement) {
      now += at.scrollTop;
    }
    frames = now === before ? frames + 1 : 0;
    before = now;
    return frames >= REST_FRAMES;
  };
  return (await until(rests, limitMs)) !== null;
}

const inPage = { errors, find, until, boxAtRest, scrollAtRest };
export type InPage = typeof inPage;
Object.assign(globalThis, { inPage });
