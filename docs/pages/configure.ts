import { SETTINGS } from "../../src/settings.ts";

const HEAD = `# Configure

<!-- Made by \`bun run docs\` of src/settings.ts. -->

Everything that is set before the start is an environment variable. An invalid value stops the start with a sentence
that names it; an empty one counts as not set. What administrators set while Snug runs (mail, the size of uploads, the
team's name) is in the administration.

\`bun cli.ts doctor\` checks the settings, the disk, the database, mail and push, and says what is wrong.
`;

export function buildConfigurePage(): string {
  const groups = SETTINGS.map(({ title, settings }) => {
    const rows = settings.map((one) => `| \`${one.name}\` | ${one.meaning} | ${one.fallback} |`);
    return [
      `## ${title}`,
      "",
      "| Variable | Meaning | Default |",
      "| --- | --- | --- |",
      ...rows,
    ].join("\n");
  });
  return `${[HEAD, ...groups].join("\n\n")}\n`;
}
