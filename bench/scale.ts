/**
 * Computes what a number of connected people needs of each part, from the costs that docs/development/performance.md
 * has measured, and says which part is full first. What NOTIFY's lock at the commit leaves is measured here,
 * by pgbench: PostgreSQL takes one such commit after the other.
 *
 * Usage: bun bench/scale.ts [--people 100000] [--messages 6] [--receivers 100] [--instances 10]
 *   [--postgres-cores 8] [--commits <a second, instead of measuring>] [--draw docs/growth.svg]
 */
import { parseArgs } from "node:util";
import { Bed } from "./support/bed.ts";
import { drawGrowth } from "./support/chart.ts";
import { pgbench } from "./support/pgbench.ts";
import { computeScale, type Team } from "./support/scale.ts";

const { values } = parseArgs({
  options: {
    people: { type: "string", default: "100000" },
    messages: { type: "string", default: "6" },
    receivers: { type: "string", default: "100" },
    instances: { type: "string", default: "10" },
    "postgres-cores": { type: "string", default: "8" },
    commits: { type: "string" },
    draw: { type: "string" },
  },
});

const team: Team = {
  people: Number(values.people),
  messagesAnHour: Number(values.messages),
  receivers: Number(values.receivers),
  instances: Number(values.instances),
  postgresCores: Number(values["postgres-cores"]),
};
const commits = values.commits ? Number(values.commits) : await measureCommits();
const { rate, parts } = computeScale(team, commits);
console.log(
  `\n${team.people} people connected to ${team.instances} instances, ${team.messagesAnHour} messages each an hour ` +
    `(${rate.toFixed(0)} a second), ${team.receivers} connected receivers of each.\n`,
);
for (const { name, needs, has, unit, people } of parts) {
  const used = `${((needs / has) * 100).toFixed(1)}%`.padStart(7);
  const full = Number.isFinite(people)
    ? `full at ${Math.round(people).toLocaleString("en")} people`
    : "whatever the people";
  console.log(`${used}  ${name}: ${needs.toFixed(2)} of ${has.toFixed(0)} ${unit}, ${full}`);
}
console.log(`\nFull first: ${parts[0]?.name}.`);
if (values.draw) await Bun.write(values.draw, drawGrowth(team, commits));
process.exit(0);

/** @returns commits a second, each with a notification */
async function measureCommits(): Promise<number> {
  const bed = await Bed.make();
  await bed.database
    .sql`create table bench_rows (id bigint generated always as identity, text text)`;
  await bed.database.sql`listen bench`;
  const insert = "insert into bench_rows (text) values ('some words')";
  const notify = `with row as (${insert} returning id) select pg_notify('bench', id::text) from row`;
  let best = 0;
  for (const clients of [1, 16, 64]) {
    const without = await pgbench(bed, `${insert};\n`, clients, 4);
    const withNotify = await pgbench(bed, `${notify};\n`, clients, 4);
    best = Math.max(best, withNotify);
    console.log(
      `${clients} clients: ${without.toFixed(0)} commits a second, with NOTIFY ${withNotify.toFixed(0)}`,
    );
  }
  await bed.clear();
  return best;
}
