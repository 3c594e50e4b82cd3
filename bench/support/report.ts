import { spread } from "./stats.ts";

export type Row = {
  scenario: string;
  /** The value to compare: more is better unless `less` is set. */
  ours: number;
  anchor: number;
  unit: string;
  less?: boolean;
  /** The target of the ratio. */
  reach: string;
  /** More figures of the round, printed unchanged. */
  notes?: string;
};

const number = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(2);

/** Prints the rounds of one scenario: each, and the ratio's spread. */
export function report(rounds: Row[]): void {
  const [first] = rounds;
  if (!first) return;
  const ratio = (row: Row) => (row.less ? row.anchor / row.ours : row.ours / row.anchor);
  console.log(`\n${first.scenario} (reach ${first.reach})`);
  for (const row of rounds) {
    console.log(
      `  ${number(row.ours)} ${row.unit}, anchor ${number(row.anchor)}, ratio ${ratio(row).toFixed(2)}` +
        `${row.notes ? `; ${row.notes}` : ""}`,
    );
  }
  const { min, median, max } = spread(rounds.map(ratio));
  console.log(`  ratio min ${min.toFixed(2)}, median ${median.toFixed(2)}, max ${max.toFixed(2)}`);
}
