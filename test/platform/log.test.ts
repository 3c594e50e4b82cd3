import { expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { configureLog, getLogger } from "../../src/platform/log.ts";

const LOG = join(import.meta.dir, "../../src/platform/log.ts");

test("the lines of one turn are one write, in order; a warning is written at once", async () => {
  configureLog({ level: "info", format: "json" });
  const written = spyOn(process.stderr, "write").mockImplementation(() => true);
  const log = getLogger("test");
  log.info("first");
  log.info("second");
  expect(written).not.toHaveBeenCalled();
  await new Promise(setImmediate);
  log.info("third");
  log.warn("fourth");
  await new Promise(setImmediate);
  const writes = written.mock.calls.map(([text]) => String(text));
  written.mockRestore();
  configureLog({ level: process.env.LOG_LEVEL === "debug" ? "debug" : "error", format: "pretty" });
  const words = writes.map((text) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).message),
  );
  expect(words).toEqual([
    ["first", "second"],
    ["third", "fourth"],
  ]);
});

test.each(["process.exit(3)", 'throw new Error("unexpected")'])(
  "what was logged before %s is written",
  async (end) => {
    const code = `import { configureLog, getLogger } from ${JSON.stringify(LOG)};
      configureLog({ level: "info", format: "json" });
      getLogger("test").info("the last line");
      ${end};`;
    const child = Bun.spawn([process.execPath, "-e", code], { stderr: "pipe" });
    expect(await new Response(child.stderr).text()).toContain('"message":"the last line"');
    expect(await child.exited).not.toBe(0);
  },
);
