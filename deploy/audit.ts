/**
 * Asks the registry for known vulnerabilities of the packages that Snug runs with, and fails if one is high or critical.
 * Without a network, or where a registry does not answer such questions, it says so and does not fail.
 *
 * Usage: bun run audit
 */
const child = Bun.spawn([process.execPath, "audit", "--prod", "--json"], {
  stdout: "pipe",
  stderr: "pipe",
});
const [out, err] = await Promise.all([
  new Response(child.stdout).text(),
  new Response(child.stderr).text(),
]);
const found = parse(out);
if (!found) {
  const reason = /error: (.*)/.exec(err + out)?.[1] ?? "it gave no answer";
  process.stdout.write(
    `Vulnerabilities were not checked: the registry could not be asked (${reason}).\n`,
  );
  process.exit(0);
}
const all = Object.entries(found).flatMap(([name, some]) => some.map((one) => ({ name, ...one })));
for (const { name, severity, title, url } of all) {
  process.stdout.write(`${severity}: ${name}: ${title} (${url})\n`);
}
const bad = all.filter(({ severity }) => severity === "high" || severity === "critical");
process.stdout.write(`${all.length} known vulnerabilities, ${bad.length} high or critical.\n`);
process.exit(bad.length > 0 ? 1 : 0);

type Advisories = Record<string, { severity: string; title: string; url: string }[]>;

function parse(text: string): Advisories | null {
  const start = text.indexOf("{");
  if (start === -1) return null;
  try {
    return JSON.parse(text.slice(start)) as Advisories;
  } catch {
    return null;
  }
}

export {};
