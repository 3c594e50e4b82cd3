import { computeScale, type Team } from "./scale.ts";

const WIDTH = 800;
const HEIGHT = 420;
const LEFT = 56;
const RIGHT = 315;
const TOP = 20;
const BOTTOM = 52;
/** Of people, by powers of ten. */
const [FROM, TO] = [3, 6];
const STEPS = 60;
const COLOURS = ["#2563eb", "#dc2626", "#059669", "#9333ea", "#d97706", "#0891b2", "#6b7280"];

const x = (power: number) => LEFT + ((power - FROM) / (TO - FROM)) * (WIDTH - LEFT - RIGHT);
const y = (share: number) => HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);

/** Draws how full each part is by the number of people connected, all else alike, as SVG. */
export function drawGrowth(team: Team, commits: number): string {
  const at = (power: number) => computeScale({ ...team, people: 10 ** power }, commits).parts;
  const names = at(TO).map(({ name }) => name);
  const lines = names.map((name, i) => {
    const points: string[] = [];
    for (let step = 0; step <= STEPS; step++) {
      const power = FROM + ((TO - FROM) * step) / STEPS;
      const match = at(power).find((part) => part.name === name);
      const share = match ? match.needs / match.has : 0;
      if (share <= 1) points.push(`${x(power).toFixed(1)},${y(share).toFixed(1)}`);
    }
    const colour = COLOURS[i % COLOURS.length];
    const [beside, line] = [WIDTH - RIGHT + 16, TOP + 14 + i * 22];
    return `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.join(" ")}"/>
<rect x="${beside}" y="${line - 9}" width="10" height="10" fill="${colour}"/>
<text x="${beside + 16}" y="${line}">${name}</text>`;
  });
  const people = ["1,000", "10,000", "100,000", "1,000,000"].map((text, i) => {
    const place = x(FROM + i).toFixed(1);
    return `<path class="grid" d="M${place} ${TOP}V${y(0)}"/>
<text x="${place}" y="${y(0) + 18}" text-anchor="middle">${text}</text>`;
  });
  const shares = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const place = y(share).toFixed(1);
    return `<path class="grid" d="M${LEFT} ${place}H${WIDTH - RIGHT}"/>
<text x="${LEFT - 8}" y="${Number(place) + 4}" text-anchor="end">${share * 100}%</text>`;
  });
  const title = `How full each part is: ${team.messagesAnHour} messages an hour of each person, ${team.receivers} receivers, ${team.instances} instances`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
<style>
svg { background: #fff; font: 12px system-ui, sans-serif; }
text { fill: #333; }
.grid { stroke: #ddd; fill: none; }
@media (prefers-color-scheme: dark) { svg { background: #16181d; } text { fill: #ccc; } .grid { stroke: #333; } }
</style>
${[...people, ...shares, ...lines].join("\n")}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 12}" text-anchor="middle">people connected</text>
</svg>
`;
}
