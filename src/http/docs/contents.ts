import { join } from "node:path";
import { INSTALLATION } from "../../platform/installation.ts";

/** The pages, in the Markdown that the repository has. */
export const FOLDER = join(INSTALLATION, "docs");

/** What people read, in this order; every other page is for those who change Snug. */
const PEOPLE = [
  "install",
  "configure",
  "operate",
  "scaling",
  "backup",
  "upgrading",
  "administer",
  "sign-in",
  "use",
  "bots",
  "webhooks",
  "security",
  "licences",
];
const ENGINEERS = ["architecture"];

export type Group = { title: string; names: string[] };

/** The names of all pages, in the order of the contents. */
export function listPages(): Group[] {
  const found = [...new Bun.Glob("*.md").scanSync({ cwd: FOLDER })]
    .map((file) => file.slice(0, -".md".length))
    .sort();
  const others = found.filter((name) => ![...PEOPLE, ...ENGINEERS].includes(name));
  return [
    {
      title: "For everyone who runs or uses it",
      names: PEOPLE.filter((name) => found.includes(name)),
    },
    { title: "How it is made", names: [...ENGINEERS, ...others] },
  ];
}

/** Reads the Markdown of a page. @param name without its ending */
export function readPage(name: string): Promise<string> {
  return Bun.file(join(FOLDER, `${name}.md`)).text();
}
