import { connectDatabase } from "../../src/database/connect.ts";
import { Runner } from "../../src/jobs-queue/runner.ts";

/** Claims a job in the database of its argument, prints a line, and never finishes it. */
const database = connectDatabase(process.argv[2] ?? "", 2);
new Runner({
  database,
  runner: Bun.randomUUIDv7(),
  leaseSeconds: 1,
  jobs: {
    sweep: {
      run(_, { attempt }) {
        process.stdout.write(`attempt ${attempt}\n`);
        return new Promise(() => {});
      },
    },
  },
}).start();
