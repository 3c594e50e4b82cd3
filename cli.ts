import { runCommand } from "./src/cli/run.ts";

const status = await runCommand(process.argv.slice(2), {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
  read: () => Bun.stdin.text(),
});
process.exit(status);
