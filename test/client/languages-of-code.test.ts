import { expect, test } from "bun:test";
import { common, createLowlight } from "lowlight";
import { lowlight, registerLanguage } from "../../public/app/parts/markdown/highlight.tsx";

/** Code that has another language in it. */
const CODE = [
  ["html", "<style>a { color: red }</style><script>const a = 1;</script>"],
  ["js", "const page = html`<b>one</b>`; const style = css`a { color: red }`;"],
  ["ts", "const query = gql`query { me { id } }`; type A = string;"],
  ["tsx", "const a = <b class='x'>{1}</b>;"],
  ["md", "# Title\n\n<b>bold</b>"],
  ["console", "$ echo 'a' | grep b"],
  ["pycon", ">>> def f(): return 1"],
  ["php-template", "<b><?php echo 1; ?></b>"],
  ["c#", "var a = 1;"],
  ["yml", "a: [1, <%= two %>]"],
  ["TypeScript", "const a = 1;"],
] as const;

const all = createLowlight(common);

test.each(CODE)("%s is coloured as where all languages are registered", (name, code) => {
  expect(registerLanguage(name)).toBe(true);
  expect(lowlight.highlight(name, code).children).toEqual(all.highlight(name, code).children);
});

test("an unknown language is not registered", () => {
  expect(registerLanguage("klingon")).toBe(false);
  expect(registerLanguage("constructor")).toBe(false);
});
