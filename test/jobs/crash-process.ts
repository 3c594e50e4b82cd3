import { connect } from "../../src/database/connect.ts";
import { Runner } from "../../src/jobs-queue/runner.ts";

/** Takes a job on the database that it is given, says so, and does not end it. */
const database = connect(process.argv[2] ?? "", 2);
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
