import { expect, test } from "bun:test";
import type { CompatData, CompatStatement, Identifier } from "@mdn/browser-compat-data";
import { parseSync, Visitor } from "oxc-parser";
import { bundleClient } from "../../src/client-bundle/bundle.ts";

/** The oldest versions that docs/use.md names. */
const FLOOR = {
  chrome: 122,
  chrome_android: 122,
  firefox: 128,
  firefox_android: 128,
  safari: 17.4,
  safari_ios: 17.4,
} as const;
/** What is newer all the same, with what an older browser does instead. */
const EXCEPTIONS: Record<string, string> = {
  "css.properties.align-content.safe": "Is left out: what is too high starts at the top.",
  "css.properties.anchor-name": "Toasts have a fixed place above the composer.",
  "css.properties.bottom.anchor": "The shorthand `inset` before it has a fixed place.",
  "css.properties.justify-content.safe": "Is left out: the row begins at its start.",
  "css.properties.right.anchor": "`@supports` leaves toasts at the end of the page.",
  "css.properties.top.anchor": "The shorthand `inset` before it has a fixed place.",
  "css.types.anchor": "The shorthand `inset` before it has a fixed place.",
  "css.properties.content-visibility": "Is only faster.",
  "css.properties.cursor": "Touch screens have no cursor.",
  "css.properties.field-sizing": "parts/use-growth.ts measures the field.",
  "css.properties.font-family.ui-monospace": "Another monospaced family follows.",
  "css.properties.forced-color-adjust": "Safari has no forced colours.",
  "css.properties.overflow-anchor": "`none` where nothing anchors changes nothing.",
  "css.properties.resize": "Touch screens have no handle; the field scrolls.",
  "css.properties.scrollbar-color": "Scroll bars have the browser's colours.",
  "css.properties.scrollbar-width": "A scroll bar is shown.",
  "css.properties.text-wrap.balance": "Headings wrap less evenly.",
  "css.properties.text-wrap.pretty": "Paragraphs may end with one short word.",
  "Navigator.clearAppBadge": "Is called where it is there.",
  "Navigator.setAppBadge": "Is called where it is there.",
  "Symbol.dispose": "Signals set a property that nothing reads.",
  ".brands": "bowser asks whether there are hints.",
  ".imageSmoothingQuality": "Pictures are scaled less smoothly.",
  ".moveBefore": "Preact asks whether it is there.",
  ".newSubscription": "The service worker subscribes itself.",
  ".notification":
    "The data says that no Safari has it; it has notifications in workers since 16.4.",
  ".oldSubscription": "The service worker subscribes without its options.",
  ".touches": "A browser that has no touch screen fires no events of one.",
};
/**
 * Names that Snug or a library gives to properties of its own; a newer browser has one of the same
 * name. Checked by hand.
 */
const OWN_NAMES = new Set(
  (
    "addElement added broadcast build bytes capture closedBy colorScheme configure connection details device " +
    "displayName dispose drop element entry escape fence fetch first flip forget format icon image isError level locale " +
    "marginBlockEnd marginLeft marginRight messages mobile node path properties provider pushManager results retry " +
    "run side skipped sync take to token transition unpause use views watch yield"
  ).split(" "),
);
/** Objects by the name under which scripts know them. */
const INTERFACES: Record<string, string> = {
  navigator: "Navigator",
  document: "Document",
  window: "Window",
  globalThis: "Window",
  self: "Window",
};

const data: CompatData = await Bun.file(
  Bun.resolveSync("@mdn/browser-compat-data", import.meta.dir),
).json();
const css = data.css as Record<string, Identifier>;
const api = data.api as Identifier;
const builtins = (data.javascript as Identifier).builtins as Identifier;
const types = indexByName(css.types as Identifier);
const members = indexMembers();

test("what browsers load needs none newer than the oldest that Snug supports", async () => {
  const { assets } = await bundleClient(false);
  const all = [...assets].flatMap(([path, { body }]) => {
    const text = new TextDecoder().decode(body);
    if (path.endsWith(".css")) return newInStyle(text);
    return path.endsWith(".js") ? newInScript(text) : [];
  });
  const newer = [...new Set(all)].filter((name) => !OWN_NAMES.has(name.replace(/^\./, "")));
  const exceptions = Object.keys(EXCEPTIONS);
  const covers = (exception: string, name: string) => `${name}.`.startsWith(`${exception}.`);
  expect(newer.filter((name) => !exceptions.some((exception) => covers(exception, name)))).toEqual(
    [],
  );
  // An exception that nothing needs any more goes.
  expect(exceptions.filter((exception) => !newer.some((name) => covers(exception, name)))).toEqual(
    [],
  );
}, 240_000);

test("what is newer is found in styles", () => {
  expect(newInStyle("a{field-sizing:content;color:red}")).toContain("css.properties.field-sizing");
  expect(newInStyle("a{text-wrap:pretty}")).toContain("css.properties.text-wrap.pretty");
  expect(newInStyle("a{color:contrast-color(red)}")).toEqual(["css.types.contrast-color"]);
  expect(newInStyle("a{user-select:none}")).toEqual(["css.properties.user-select"]);
  expect(newInStyle("a{-webkit-user-select:none;user-select:none}")).toEqual([]);
  expect(newInStyle("a:open,a:hover{color:color-mix(in oklch,red,blue)}")).toEqual([
    "css.selectors.open",
  ]);
  expect(newInStyle("@position-try --a{top:0}@media(width>1px){a{top:0}}")).toEqual([
    "css.at-rules.position-try",
  ]);
});

test("what is newer is found in scripts", () => {
  expect(newInScript("URL.parse('/')")).toEqual(["URL.parse"]);
  expect(newInScript("new URLPattern({})")).toEqual(["URLPattern"]);
  expect(newInScript("Promise.try(f);Promise.withResolvers()")).toEqual(["Promise.try"]);
  expect(newInScript("navigator.setAppBadge?.(1)")).toEqual(["Navigator.setAppBadge"]);
  expect(newInScript("map.getOrInsertComputed(1,f);set.union(other)")).toEqual([
    ".getOrInsertComputed",
  ]);
  expect(newInScript("/(?i:a)b/;/(?<=a)[\\w--a]/v")).toEqual(["regular expression (?i:"]);
  expect(newInScript("import a from './a.json' with {type:'json'}")).toEqual(["import attributes"]);
  expect(newInScript("{using a=b}")).toEqual(["using"]);
});

/** Whether a browser at the floor lacks it, or has it under a prefix or a flag alone. */
function isNewer({ support }: CompatStatement): boolean {
  return Object.entries(FLOOR).some(([browser, floor]) => {
    const said = support[browser as keyof typeof FLOOR];
    if (!said) return false;
    return ![said].flat().some((item) => {
      if (item.prefix || item.alternative_name || item.flags) return false;
      return isReached(item.version_added, floor) && !isReached(item.version_removed, floor);
    });
  });
}

function isReached(version: unknown, floor: number): boolean {
  if (typeof version !== "string" || version === "preview") return false;
  // Versions count their parts: 17.10 is after 17.4.
  return Bun.semver.order(toSemver(version.replace("≤", "")), toSemver(String(floor))) <= 0;
}

function toSemver(version: string): string {
  return [...version.split("."), "0", "0"].slice(0, 3).join(".");
}

function newInStyle(source: string): string[] {
  const text = source
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/"[^"]*"|'[^']*'|url\([^)]*\)/g, '""');
  const newer = new Set<string>();
  const check = (path: string, at: Identifier | undefined) => {
    if (at?.__compat && isNewer(at.__compat)) newer.add(path);
  };
  for (const match of text.matchAll(/(?<=[;{]\s*)([a-z-]+)\s*:([^;{}]*)(?=[;}])/g)) {
    const [, property = "", value = ""] = match;
    const before = text.slice(Math.max(0, match.index - 80), match.index);
    const hasTwin = new RegExp(`[;{]-webkit-${property}:[^;{}]*;$`).test(before);
    if (property.startsWith("-") || hasTwin) continue;
    const entry = css.properties?.[property] as Identifier | undefined;
    check(`css.properties.${property}`, entry);
    for (const [word] of value.matchAll(/(?<![\w-])[a-z][a-z-]*/g)) {
      check(`css.properties.${property}.${word}`, entry?.[word] as Identifier | undefined);
    }
    for (const [, name = ""] of value.matchAll(/(?<![\w-])([a-z][a-z-]*)\(/g)) {
      if (types.get(name)?.every(isNewer)) newer.add(`css.types.${name}`);
    }
  }
  for (const [, prelude = ""] of text.matchAll(/([^{};]*)\{/g)) {
    if (prelude.trim().startsWith("@")) continue;
    for (const [, name = ""] of prelude.matchAll(/::?([a-z][a-z-]*)/g)) {
      check(`css.selectors.${name}`, css.selectors?.[name] as Identifier | undefined);
    }
    if (prelude.includes("&")) check("css.selectors.nesting", css.selectors?.nesting as Identifier);
  }
  for (const [, name = "", prelude = ""] of text.matchAll(/@([a-z][a-z-]*)([^{};]*)/g)) {
    const rule = css["at-rules"]?.[name] as Identifier | undefined;
    check(`css.at-rules.${name}`, rule);
    for (const [word] of prelude.matchAll(/(?<![\w-])[a-z][a-z-]*/g)) {
      check(`css.at-rules.${name}.${word}`, rule?.[word] as Identifier | undefined);
    }
  }
  return [...newer];
}

function newInScript(source: string): string[] {
  const { program, errors } = parseSync("script.js", source);
  if (errors.length > 0) throw new Error(errors[0]?.message);
  const newer = new Set<string>();
  new Visitor({
    Identifier({ name }) {
      const entry = (builtins[name] ?? api[name]) as Identifier | undefined;
      if (entry?.__compat && isNewer(entry.__compat)) newer.add(name);
      const global = (api.Window as Identifier)[name] as Identifier | undefined;
      if (name.length > 3 && global?.__compat && isNewer(global.__compat)) newer.add(name);
    },
    MemberExpression({ object, property, computed }) {
      if (computed || property.type !== "Identifier") return;
      const { name } = property;
      const owner = object.type === "Identifier" ? (INTERFACES[object.name] ?? object.name) : "";
      const of = (builtins[owner] ?? api[owner]) as Identifier | undefined;
      const own = (of?.[`${name}_static`] ?? of?.[name]) as Identifier | undefined;
      if (own?.__compat) {
        if (isNewer(own.__compat)) newer.add(`${owner}.${name}`);
      } else if (members.get(name)?.every(isNewer)) newer.add(`.${name}`);
    },
    Literal(node) {
      if (!("regex" in node)) return;
      const [modifier] = /\(\?[ims]*(?:-[ims]+)?:/.exec(node.regex.pattern) ?? [];
      if (modifier && modifier !== "(?:") newer.add(`regular expression ${modifier}`);
      const names = [...node.regex.pattern.matchAll(/\(\?<(\w+)>/g)].map(([, name]) => name);
      if (new Set(names).size < names.length) newer.add("regular expression with a name twice");
    },
    VariableDeclaration({ kind }) {
      if (kind.endsWith("using")) newer.add("using");
    },
    ImportDeclaration({ attributes }) {
      if (attributes.length > 0) newer.add("import attributes");
    },
    Decorator() {
      newer.add("decorators");
    },
  }).visit(program);
  return [...newer];
}

function indexByName(at: Identifier, index = new Map<string, CompatStatement[]>()) {
  for (const [name, below] of Object.entries(at)) {
    if (name === "__compat") continue;
    const { __compat } = below as Identifier;
    if (__compat) index.set(name, [...(index.get(name) ?? []), __compat]);
    indexByName(below as Identifier, index);
  }
  return index;
}

/** What instances have, by its name alone: one that is also older somewhere counts as old. */
function indexMembers() {
  const index = new Map<string, CompatStatement[]>();
  for (const owner of [...Object.values(builtins), ...Object.values(api)]) {
    for (const [name, below] of Object.entries(owner as Identifier)) {
      const { __compat } = below as Identifier;
      if (__compat && !name.endsWith("_static")) {
        index.set(name, [...(index.get(name) ?? []), __compat]);
      }
    }
  }
  return index;
}
