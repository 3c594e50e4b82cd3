import { SETTINGS } from "../../src/settings.ts";

const HEAD = `# Configure

<!-- Made by \`bun run docs\` of src/settings.ts. -->

These environment variables are read when Snug starts. An empty value counts as not set; an invalid one stops the start with an
explanation. Administrators set everything else while Snug runs.

\`bun cli.ts doctor\` checks the settings.
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
