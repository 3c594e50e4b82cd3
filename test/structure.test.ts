import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { type Expression, parseSync, Visitor } from "oxc-parser";
import { applyRecipes } from "./support/recipes.ts";

/**
 * The floors of the service, from the ground up. A folder may import from floors below its own; on
 * one floor folders may import each other as long as they make no circle.
 */
const FLOORS: string[][] = [
  ["src/wire"],
  ["src/platform", "src/embedded-postgres"],
  ["src/config.ts", "src/settings.ts"],
  ["src/database"],
  ["src/feed", "src/jobs-queue", "src/audit", "src/rate-limits"],
  ["src/email", "src/team"],
  ["src/routing"],
  ["src/openapi", "src/client-bundle"],
  ["src/presence", "src/users"],
  ["src/authentication"],
  ["src/rooms", "src/sections", "src/sign-in", "src/themes"],
  ["src/accounts", "src/push", "src/uploads"],
  ["src/avatars", "src/backup", "src/messages", "src/previews"],
  [
    "src/activity",
    "src/drafts",
    "src/invites",
    "src/providers",
    "src/saved-messages",
    "src/scheduled-messages",
    "src/search",
    "src/webhooks",
  ],
  ["src/admin"],
  ["src/socket", "src/http", "jobs"],
  ["src/snug-client"],
  ["src/metrics.ts", "src/explain.ts"],
  ["src/service.ts", "src/background.ts", "src/dependencies.ts"],
  ["src/cli", "src/main.ts", "src/dev.ts"],
  ["cli.ts"],
];
/**
 * The floors of the web client, in the same way. What lies beside these folders in `public/app` is on
 * top, and starts or wires them.
 */
const CLIENT_FLOORS: string[][] = [
  ["connection"],
  ["words"],
  ["state"],
  ["parts"],
  ["session"],
  [
    "activity",
    "admin",
    "composer",
    "conversations",
    "drafts",
    "later",
    "messages",
    "people",
    "pins",
    "profile",
    "search",
    "sections",
    "sign-in",
    "switcher",
    "threads",
    "timeline",
    "webhooks",
  ],
  ["shell"],
];
const ROOT = join(import.meta.dir, "..");

type Import = { from: string; to: string };

/** The selectors of a stylesheet's rules, each with the rules and at-rules around it. */
function listRules(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const rules: string[] = [];
  const around: string[] = [];
  for (const [match, prelude = ""] of text.matchAll(/([^{};]*)\{|\}/g)) {
    if (match === "}") {
      around.pop();
      continue;
    }
    around.push(prelude.trim().replace(/\s+/g, " "));
    const isRule = !/@keyframes|@font-face/.test(around.join()) && !around.at(-1)?.startsWith("@");
    if (isRule) rules.push(around.join(" { "));
  }
  return rules;
}

function importsOf(file: string): Import[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  const loader = file.endsWith("x") ? "tsx" : "ts";
  const found = new Set<string>();
  // Types too: an arrow is an arrow, though it costs nothing at run time.
  for (const [, path] of source.matchAll(/\b(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)) {
    if (path) found.add(path);
  }
  for (const { path } of new Bun.Transpiler({ loader }).scanImports(source)) {
    if (path.startsWith(".")) found.add(path);
  }
  return [...found].map((path) => ({
    from: file,
    to: relative(ROOT, join(ROOT, dirname(file), path)),
  }));
}

function files(pattern: string): string[] {
  return [...new Bun.Glob(pattern).scanSync({ cwd: ROOT })].sort();
}

const serverFiles = [...files("src/**/*.ts"), ...files("jobs/**/*.ts"), "cli.ts"];
const serverImports = serverFiles.flatMap(importsOf);
/** What is loaded later may be of any floor: one table has it, the only arrows that point up. */
const LOADED_LATER = "public/app/parts/chunks.ts";
const clientImports = files("public/**/*.{ts,tsx}")
  .flatMap(importsOf)
  .filter(({ from }) => from !== LOADED_LATER);

/** The part of the service that a file belongs to: a folder below src, or a file on a floor of its own. */
function partOf(file: string): string {
  const parts = FLOORS.flat();
  return parts.find((part) => file === part || file.startsWith(`${part}/`)) ?? file;
}

function floorOf(file: string): number {
  return FLOORS.findIndex((parts) => parts.includes(partOf(file)));
}

describe("the structure", () => {
  test("every file of the server has a floor", () => {
    expect(serverFiles.filter((file) => floorOf(file) === -1)).toEqual([]);
  });

  test("no import runs up", () => {
    const up = serverImports.filter(
      ({ from, to }) => floorOf(to) > floorOf(from) || floorOf(to) === -1,
    );
    expect(up).toEqual([]);
  });

  test("parts make no circle", () => {
    const graph = new Map<string, Set<string>>();
    for (const { from, to } of serverImports) {
      const [a, b] = [partOf(from), partOf(to)];
      if (a !== b) graph.set(a, (graph.get(a) ?? new Set()).add(b));
    }
    expect(findCircle(graph)).toEqual([]);
  });

  test("files make no circle", () => {
    const graph = new Map<string, Set<string>>();
    for (const { from, to } of [...serverImports, ...clientImports]) {
      graph.set(from, (graph.get(from) ?? new Set()).add(to));
    }
    expect(findCircle(graph)).toEqual([]);
  });

  test("the web client imports only the wire, and the calls and the connection of the bot client", () => {
    const outside = clientImports.filter(
      ({ to }) => !/^(?:public\/|src\/wire\/|src\/snug-client\/(?:calls|connection)\.ts$)/.test(to),
    );
    expect(outside).toEqual([]);
    expect(clientImports.length).toBeGreaterThan(0);
  });

  test("no import of the client runs up", () => {
    const floor = (file: string) => {
      const folder = /^public\/app\/([^/]+)\//.exec(file)?.[1] ?? "";
      return CLIENT_FLOORS.findIndex((folders) => folders.includes(folder));
    };
    const up = clientImports.filter(({ from, to }) => {
      if (!from.startsWith("public/app/") || !to.startsWith("public/app/")) return false;
      if (floor(from) === -1) return false;
      return floor(to) === -1 || floor(to) > floor(from);
    });
    expect(up).toEqual([]);
  });

  test("features of the client make no circle", () => {
    const graph = new Map<string, Set<string>>();
    for (const { from, to } of clientImports) {
      const [a = "", b = ""] = [from, to].map((file) => file.split("/").slice(0, 3).join("/"));
      if (a !== b) graph.set(a, (graph.get(a) ?? new Set()).add(b));
    }
    expect(findCircle(graph)).toEqual([]);
  });

  test("folders of the client's state make no circle", () => {
    const folder = "public/app/state/";
    const graph = new Map<string, Set<string>>();
    for (const { from, to } of clientImports) {
      if (!from.startsWith(folder) || !to.startsWith(folder)) continue;
      const [a = "", b = ""] = [from, to].map((file) => file.split("/").slice(0, 4).join("/"));
      if (a !== b) graph.set(a, (graph.get(a) ?? new Set()).add(b));
    }
    expect(graph.size).toBeGreaterThan(5);
    expect(findCircle(graph)).toEqual([]);
  });

  test("no two files of the client have one name", () => {
    // The catalogues of the languages are alike.
    const named = files("public/**/*.{ts,tsx}").filter(
      (file) => !/^public\/app\/words\/[^/]+\//.test(file),
    );
    const byName = Map.groupBy(named, (file) => basename(file).replace(/\..*$/, ""));
    expect([...byName.values()].filter(({ length }) => length > 1)).toEqual([]);
  });

  test("the pictures of docs/architecture.md show every folder on its floor", () => {
    const text = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
    // A floor begins with a rule; its names are in the left column.
    const [service = [], client = []] = [...text.matchAll(/┌[^└]*└/g)].map(([picture]) =>
      picture
        .split(/[┌├└].*/)
        .map((floor) => [...floor.matchAll(/(?<=^│[^│]*)[\w./-]+(?=[^│\n]*│[^│\n]*│$)/gm)])
        .map((names) => names.map(([name]) => name).sort())
        .filter((names) => names.length > 0)
        .reverse(),
    );
    const short = (name: string) => (name.startsWith("src/") ? name.slice(4) : `/${name}`);
    expect(service).toEqual(FLOORS.map((names) => names.map(short).sort()));
    expect(client).toEqual(CLIENT_FLOORS.map((names) => [...names].sort()));
    const folders = new Set(files("public/app/*/**").map((file) => file.split("/")[2] ?? ""));
    expect([...folders].sort()).toEqual(CLIENT_FLOORS.flat().sort());
  });

  test("files and pages that the documentation names exist", () => {
    const missing = [...files("docs/**/*.md"), ...files("*.md")].flatMap((file) => {
      const text = readFileSync(join(ROOT, file), "utf8").replace(/```[\s\S]*?```/g, "");
      const paths = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|tsx|css|sql|md|patch))`/g)];
      const folders = [...text.matchAll(/`((?:src|public|jobs|test|bench|docs)(?:\/[\w-]+)+)`/g)];
      const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)];
      const isThere = (path: string) =>
        ["", "src", "public/app"].some((base) => existsSync(join(ROOT, base, path)));
      return [
        ...[...paths, ...folders].flatMap(([, path = ""]) => (isThere(path) ? [] : path)),
        ...links.flatMap(([, to = ""]) => (existsSync(join(ROOT, dirname(file), to)) ? [] : to)),
      ].map((path) => `${file}: ${path}`);
    });
    expect(missing).toEqual([]);
  });

  // `bun run recipes` also compiles them, in a copy where they have been applied.
  test.skipIf(process.env.RECIPES === "applied")(
    "the recipes of CONTRIBUTING.md fit their files",
    () => {
      expect(applyRecipes(ROOT).size).toBeGreaterThan(20);
    },
  );

  test("the environment is read in one place", () => {
    const readers = serverFiles.filter((file) =>
      // In quotes it is an option of the bundler.
      /(?<!")process\.env|Bun\.env/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    // `bun dev` hands its whole environment on to the service that it starts.
    expect(readers).toEqual(["src/config.ts", "src/dev.ts"]);
  });

  test("a full browser storage stops nothing: what writes into it expects that", () => {
    const writers = files("public/**/*.{ts,tsx}").filter((file) =>
      /\.setItem\(/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    // Messages that wait to be sent are kept in their tab instead.
    expect(writers.sort()).toEqual([
      "public/app/connection/outbox.ts",
      "public/app/connection/storage.ts",
    ]);
  });

  test("keys of input methods reach no handler: one place in front of all says which they are", () => {
    const place = "public/app/parts/input-method.ts";
    const sources = files("public/**/*.{ts,tsx}").map((file) => ({
      file,
      source: readFileSync(join(ROOT, file), "utf8"),
    }));
    const asking = sources.filter(({ source }) => /isComposing|keyCode|keyIdentifier/.test(source));
    expect(asking.map(({ file }) => file)).toEqual([place]);
    // A handler of another event, or of the capture phase, would get them all the same.
    const around = sources.filter(
      ({ file, source }) =>
        file !== place &&
        (/"key(?:up|press)"|onKey(?:Up|Press|DownCapture)\b/.test(source) ||
          /"keydown",[^;]*(?:\bcapture\b|, true\))/.test(source)),
    );
    expect(around.map(({ file }) => file)).toEqual([]);
    // So each page with a handler of keys begins with it.
    const graph = Map.groupBy(clientImports, ({ from }) => from);
    const reach = (file: string, seen = new Set<string>()): Set<string> => {
      if (seen.has(file)) return seen;
      seen.add(file);
      for (const { to } of graph.get(file) ?? []) reach(to, seen);
      return seen;
    };
    const handling = new Set(
      sources.filter(({ source }) => /keydown/i.test(source)).map(({ file }) => file),
    );
    const pages = files("public/*.html").flatMap((file) =>
      [...readFileSync(join(ROOT, file), "utf8").matchAll(/<script[^>]* src="\.\/([^"]+)"/g)].map(
        ([, script = ""]) => `public/${script}`,
      ),
    );
    const withHandlers = pages.filter((page) => !reach(page).isDisjointFrom(handling));
    expect(withHandlers.sort()).toEqual([
      "public/app/main.tsx",
      "public/docs/api-docs.tsx",
      "public/manual/manual-search.ts",
    ]);
    const without = withHandlers.filter(
      (page) => !/^leaveKeysToInputMethods\(\);$/m.test(readFileSync(join(ROOT, page), "utf8")),
    );
    expect(without).toEqual([]);
  });

  test("what the client imports or requests without awaiting it handles the failure", () => {
    const floating = files("public/**/*.{ts,tsx}").flatMap(findFloatingLoads);
    expect(floating).toEqual([]);
  });

  test("only `state` changes the state: events, and responses as their routes declare", () => {
    const changes =
      /\bstate\.value = |\bstore\.api\.call\b|\bplaces(?:\.\w+)?\.merge\(|\bwith(?:Me|Changed|Answer|Direct|Activity)\(/;
    const changing = files("public/**/*.{ts,tsx}").filter(
      (file) =>
        !file.startsWith("public/app/state/") &&
        changes.test(readFileSync(join(ROOT, file), "utf8")),
    );
    expect(changing).toEqual([]);
    // Opening, leaving and failing to load a view change it, too; its content comes from `receive`.
    const assigning = files("public/app/state/**/*.ts").filter((file) =>
      /\bstate\.value = /.test(readFileSync(join(ROOT, file), "utf8")),
    );
    expect(assigning.map((file) => basename(file)).sort()).toEqual([
      "client-store.ts",
      "room-history.ts",
      "room-sync.ts",
      "thread-sync.ts",
    ]);
    const merging = files("public/app/state/**/*.ts").filter(
      (file) =>
        !/\/state\/(?:events|model|personal)\//.test(file) &&
        /\b(?:apply\w+Event|insertMessage|addJoins|changeView|with(?:Conversation|Follows?|MemberUpdate|SomeMembers))\(/.test(
          readFileSync(join(ROOT, file), "utf8"),
        ),
    );
    expect(merging).toEqual([]);
  });

  test("a browser storage that is blocked stops nothing: one file opens it", () => {
    const users = files("public/**/*.{ts,tsx}").filter((file) =>
      /(?<!`)\b(?:localStorage|sessionStorage)\b(?!`)/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    // The inline script imports nothing, and reads the language alone.
    expect(users.sort()).toEqual(["public/app/connection/storage.ts", "public/app/support.ts"]);
  });

  test("no input is of the type search: in WebKit it takes Esc from what is open around it", () => {
    const searching = files("public/**/*.{ts,tsx,html}").filter((file) =>
      /\btype\b\W{1,6}search["']/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    expect(searching).toEqual([]);
  });

  test("Esc is taken by one rule, which leaves to dialogs, menus and pickers what is theirs", () => {
    const own = files("public/**/*.{ts,tsx}").filter((file) =>
      /(?:[=!]==|case) ?"Esc(?:ape)?"|\bEscape:/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    expect(own.sort()).toEqual([
      // The list of completions is on top wherever it is open.
      "public/app/composer/completion.tsx",
      // The rule.
      "public/app/parts/escape.ts",
      // Shift and Esc, and the switcher while its code is loaded.
      "public/app/session/keys.ts",
      // Pages on which nothing opens.
      "public/docs/docs.tsx",
      "public/manual/manual-search.ts",
    ]);
  });

  test("clock times have one format, in parts/times.ts", () => {
    const formats = files("public/**/*.{ts,tsx}").filter((file) =>
      /\bhour: "|toLocaleTimeString/.test(readFileSync(join(ROOT, file), "utf8")),
    );
    expect(formats).toEqual([]);
  });

  test.each([
    ["copies through parts/clipboard.ts", /navigator\.clipboard/, "parts/clipboard.ts"],
    ["loads more by parts/load-more.tsx", /IntersectionObserver\(/, "parts/load-more.tsx"],
    [
      "offers choices by parts/combobox.tsx",
      /\brole(?:=|: )"(?:combobox|listbox)"/,
      "parts/combobox.tsx",
    ],
    ["has one menu, parts/menu-list.tsx", /\brole="menu"/, "parts/menu-list.tsx"],
    ["places popovers by parts/use-popover.ts", /popover\.style\./, "parts/use-popover.ts"],
    [
      "shows what is unread by parts/unread-badge.tsx",
      /"(?:badge|unread-dot)[ "]/,
      "parts/unread-badge.tsx",
    ],
    ["has one icon for a room, parts/room-icon.tsx", /\? Lock : Hash/, "parts/room-icon.tsx"],
  ])("the client %s", (_, pattern, place) => {
    const users = files("public/**/*.{ts,tsx}").filter((file) =>
      pattern.test(readFileSync(join(ROOT, file), "utf8")),
    );
    expect(users).toEqual([`public/app/${place}`]);
  });

  test("no rule of the styles is opened twice", () => {
    const rules = files("public/style/*.css").flatMap((file) => listRules(file));
    expect(rules.filter((rule, index) => rules.indexOf(rule) !== index)).toEqual([]);
  });

  test("a size in a style says its unit: without preact/compat a number says nothing", () => {
    const bare = files("public/**/*.tsx").filter((file) =>
      /style=\{\{[^}]*\b(?:width|height|margin\w*|padding\w*|fontSize): ?\d/.test(
        readFileSync(join(ROOT, file), "utf8"),
      ),
    );
    expect(bare).toEqual([]);
  });

  test("tests await what they expect of a promise", () => {
    const floating = files("test/**/*.{ts,tsx}").flatMap(findFloatingExpectations);
    expect(floating).toEqual([]);
  });

  test("no HTML string is made or set", () => {
    // What this searches for is forbidden everywhere else: each would run markup of a text.
    const makers = [...files("public/**/*.{ts,tsx}"), ...serverFiles].filter((file) =>
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write/i.test(
        readFileSync(join(ROOT, file), "utf8"),
      ),
    );
    expect(makers).toEqual([]);
  });

  test("the stack is the one that the product is built on", async () => {
    const { dependencies, devDependencies } = await Bun.file("package.json").json();
    const stack = [
      "elysia",
      "drizzle-orm",
      "postgres",
      "sharp",
      "web-push",
      "nodemailer",
      "linkedom",
    ];
    expect(stack.filter((name) => !(name in dependencies))).toEqual([]);
    expect("bun-types" in { ...dependencies, ...devDependencies }).toBe(true);
    // Routes are declared to Elysia, and sockets are Bun's own.
    expect(await Bun.file("src/http/app.ts").text()).toContain("new Elysia(");
  });

  test("each advisory lock has a key of its own", () => {
    const keys = serverFiles.flatMap((file) =>
      [
        ...readFileSync(join(ROOT, file), "utf8").matchAll(
          /^(?:export )?const (\w*(?:LOCK|LOCK_KEY)) = ([\d_]+);/gm,
        ),
      ].map(([, name, key]) => `${key} ${name}`),
    );
    expect(keys.length).toBeGreaterThan(4);
    expect(new Set(keys.map((key) => key.split(" ")[0])).size, keys.join("\n")).toBe(keys.length);
  });
});

/** Statements that import or request something, do not await it, and leave a rejection unhandled. */
function findFloatingLoads(file: string): string[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  if (!/\bimport\(|\bload(?:Part|Rest)\(|\b(?:api|store)\s*\.call\(/.test(source)) return [];
  const loads: string[] = [];
  const check = (node: Expression) => {
    let at = node;
    while (at.type === "CallExpression" && at.callee.type === "MemberExpression") {
      const { object, property } = at.callee;
      const name = property.type === "Identifier" ? property.name : "";
      if (name === "catch" || (name === "then" && at.arguments.length === 2)) return;
      if (name !== "then" && name !== "finally") break;
      at = object;
    }
    const text = source.slice(at.start, at.end);
    if (/^(?:import\(|load(?:Part|Rest)\(|(?:\w+\.)*api\s*\.call\()/.test(text)) {
      loads.push(`${file}: ${source.slice(node.start, node.end)}`);
    }
  };
  new Visitor({
    UnaryExpression({ operator, argument }) {
      if (operator === "void") check(argument);
    },
    ExpressionStatement({ expression }) {
      check(expression);
    },
  }).visit(parseSync(file, source).program);
  return loads;
}

/** Statements that expect something of a promise with `rejects` or `resolves`, and wait for nothing. */
function findFloatingExpectations(file: string): string[] {
  const source = readFileSync(join(ROOT, file), "utf8");
  const floating: string[] = [];
  new Visitor({
    ExpressionStatement({ expression }) {
      if (expression.type !== "CallExpression") return;
      const text = source.slice(expression.start, expression.end);
      if (/^expect\(/.test(text) && /\)\s*\.(?:rejects|resolves)\b/.test(text)) {
        floating.push(`${file}: ${text}`);
      }
    },
  }).visit(parseSync(file, source).program);
  return floating;
}

/** The first circle of a graph, as the path around it. */
function findCircle(graph: Map<string, Set<string>>): string[] {
  const done = new Set<string>();
  const visit = (node: string, path: string[]): string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return [];
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...path, node]);
      if (circle.length > 0) return circle;
    }
    done.add(node);
    return [];
  };
  for (const node of graph.keys()) {
    const circle = visit(node, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
