import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeApi } from "../../src/openapi/document.ts";
import { createRoutes } from "../../src/http/routes.ts";
import { PARTS } from "../support/routes.ts";

/**
 * Lints the description of the API with Redocly's recommended rules.
 *
 * Usage: bun run openapi
 */
const folder = await mkdtemp(join(tmpdir(), "snug-openapi-"));
const file = join(folder, "openapi.json");
// The rules ask for a server whose name is not this machine's.
await Bun.write(file, JSON.stringify(describeApi(createRoutes(PARTS), "https://chat.snug.team")));
const cli = join(import.meta.dir, "../../node_modules/@redocly/cli/bin/cli.js");
const child = Bun.spawn([process.execPath, cli, "lint", file], {
  stdout: "pipe",
  stderr: "pipe",
  env: { ...process.env, REDOCLY_TELEMETRY: "off", NO_COLOR: "1", CI: "true" },
});
const output = (
  await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
).join("");
const status = await child.exited;
await rm(folder, { recursive: true });
// Redocly leaves with 0 after warnings.
const isClean = status === 0 && !/warning|error/i.test(output);
console.log(isClean ? "The description of the API is clean." : output);
process.exit(isClean ? 0 : 1);
