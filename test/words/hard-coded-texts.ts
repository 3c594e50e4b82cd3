import { argumentsOf, below, childrenOf, type Node, nameOf, type Source } from "./source.ts";

/** Attributes and properties whose text is shown or read aloud. */
const SHOWN =
  /^(?:action|alt|aria-(?:label|description|roledescription|valuetext|placeholder)|description|empty|error|hint|label|disabledLabel|placeholder|text|title)$/;
/** Functions that show their argument. */
const SHOWING_CALLS = new Set(["showToast", "setTitle"]);
const LETTERS = /\p{L}{2}/u;
/** The beginning of a sentence, in any place. */
const PROSE = /^\p{Lu}[\p{L}']*,? \p{L}/u;
/** A single capitalized word, such as a label. */
const LABEL = /^\p{Lu}\p{Ll}/u;
/** Names, which are not translated. */
const NAMES = /^\s*(?:Snug|Ada|Mac OS X|webhook-id …)\s*$/;

/** The texts of a file that are in no catalogue, as `path:line text`. */
export function findHardCodedTexts(source: Source): string[] {
  const found: Node[] = [];
  for (const node of below(source.program)) {
    if (node.type === "JSXText") found.push(...written(node));
    if (node.type === "JSXExpressionContainer") found.push(...shownBy(source, node));
    if (node.type === "JSXAttribute" && SHOWN.test(nameOf(node.name)))
      found.push(...valueWritten(node));
    if (node.type === "ArrayExpression")
      found.push(...childrenOf(node).filter((item) => LABEL.test(textOf(item)) && !isName(item)));
    if (node.type === "Property" && SHOWN.test(nameOf(node.key))) found.push(...valueWritten(node));
    if (node.type === "CallExpression" && SHOWING_CALLS.has(nameOf(node.callee)))
      found.push(...argumentsOf(node).flatMap(written));
  }
  found.push(...prose(source.program));
  const lines = found.map((node) => `${source.at(node)} ${textOf(node).trim()}`);
  return [...new Set(lines)];
}

function valueWritten(node: Node): Node[] {
  const value = node.value as Node | null;
  return value ? written(value) : [];
}

/** The texts of an expression between tags. Attributes are checked by their names. */
function shownBy(source: Source, container: Node): Node[] {
  const before = source.text.slice(0, container.start).trimEnd();
  return before.endsWith("=") ? [] : written(container.expression as Node);
}

/** The literal texts that an expression can evaluate to. */
function written(node: Node): Node[] {
  switch (node.type) {
    case "JSXText":
    case "Literal":
    case "TemplateLiteral":
      return LETTERS.test(textOf(node)) && !isName(node) ? [node] : [];
    case "JSXExpressionContainer":
    case "ParenthesizedExpression":
      return written(node.expression as Node);
    case "ConditionalExpression":
      return [node.consequent, node.alternate].flatMap((child) => written(child as Node));
    case "LogicalExpression":
    case "BinaryExpression":
      return /^[=!<>]/.test(String(node.operator))
        ? []
        : [node.left, node.right].flatMap((child) => written(child as Node));
    case "ArrowFunctionExpression":
      return written(node.body as Node);
    default:
      return [];
  }
}

/** Sentences in any other place, except those for browsers, programmers or shells. */
function prose(node: Node): Node[] {
  if (/^Import|^TS/.test(node.type) || node.type === "NewExpression") return [];
  if (node.type === "JSXAttribute" && /^(?:class|d|style|accept|rel)$/.test(nameOf(node.name)))
    return [];
  if (node.type === "Literal" || node.type === "TemplateLiteral")
    return PROSE.test(textOf(node)) && !isName(node) ? [node] : [];
  return childrenOf(node).flatMap(prose);
}

function isName(node: Node): boolean {
  return NAMES.test(textOf(node));
}

function textOf(node: Node): string {
  if (node.type === "TemplateLiteral") {
    const quasis = node.quasis as { value: { cooked: string } }[];
    return quasis.map(({ value }) => value.cooked).join("…");
  }
  return typeof node.value === "string" ? node.value : "";
}
