import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync } from "oxc-parser";

const ROOT = join(import.meta.dir, "../..");
const APP = "public/app";

/** A node of a parsed program (ESTree, with JSX and types). */
export type Node = { type: string; start: number; [field: string]: unknown };

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

export function childrenOf(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

/** The descendants of a node, in the order of the text. */
export function* below(node: Node): Generator<Node> {
  for (const child of childrenOf(node)) {
    yield child;
    yield* below(child);
  }
}

export class Source {
  readonly program: Node;

  /** @param path from the root of the repository */
  constructor(
    readonly path: string,
    readonly text = readFileSync(join(ROOT, path), "utf8"),
  ) {
    this.program = parseSync(path, text).program as unknown as Node;
  }

  /** The position of a node as `path:line`. */
  at(node: Node): string {
    return `${this.path}:${this.text.slice(0, node.start).split("\n").length}`;
  }

  /** Calls of a function by its bare name. */
  calls(name: string): Node[] {
    return [...below(this.program)].filter(
      (node) => node.type === "CallExpression" && nameOf(node.callee) === name,
    );
  }

  /** The files that this one imports statically. */
  imports(): string[] {
    return childrenOf(this.program)
      .filter((node) => /^(?:Import|ExportNamed|ExportAll)/.test(node.type))
      .filter((node) => node.importKind !== "type" && node.exportKind !== "type")
      .flatMap((node) => (isNode(node.source) ? this.resolve(String(node.source.value)) : []));
  }

  resolve(specifier: string): string[] {
    if (!specifier.startsWith(".")) return [];
    return [relative(ROOT, join(ROOT, dirname(this.path), specifier))];
  }
}

export function nameOf(node: unknown): string {
  if (!isNode(node)) return "";
  if (node.type === "JSXNamespacedName") return `${nameOf(node.namespace)}:${nameOf(node.name)}`;
  return typeof node.name === "string" ? node.name : "";
}

export function argumentsOf(call: Node): Node[] {
  return (call.arguments as unknown[]).filter(isNode);
}

/** The client, without its catalogues. */
export const sources: Source[] = [...new Bun.Glob(`${APP}/**/*.{ts,tsx}`).scanSync({ cwd: ROOT })]
  .filter((path) => !path.endsWith(".d.ts") && !/\/words\/(?:en|de|es)\//.test(path))
  .sort()
  .map((path) => new Source(path));

/** A file and all that it imports statically, directly or not. */
export function modulesLoadedWith(path: string, seen: Set<string> = new Set()): Set<string> {
  const source = sources.find((source) => source.path === path);
  if (!source || seen.has(path)) return seen;
  seen.add(path);
  for (const next of source.imports()) modulesLoadedWith(next, seen);
  return seen;
}
