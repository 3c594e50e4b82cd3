export type Person = {
  username: string;
  name: string;
  hue: number;
  /** Null for the reader of the demo, whose browser has one. */
  timeZone: string | null;
};

export const PEOPLE = [
  { username: "ada", name: "Ada Lovelace", hue: 28, timeZone: null },
  { username: "grace", name: "Grace Hopper", hue: 205, timeZone: "America/New_York" },
  { username: "alan", name: "Alan Turing", hue: 150, timeZone: "Europe/London" },
  { username: "katherine", name: "Katherine Johnson", hue: 330, timeZone: "America/New_York" },
  { username: "edsger", name: "Edsger Dijkstra", hue: 265, timeZone: "Europe/Amsterdam" },
  { username: "margaret", name: "Margaret Hamilton", hue: 90, timeZone: "America/Los_Angeles" },
] as const satisfies Person[];

export type Username = (typeof PEOPLE)[number]["username"];

export type Line = {
  by: Username;
  /** How long ago the message was posted, in minutes. */
  ago: number;
  text?: string;
  picture?: "chart" | "sunset";
  file?: { name: string; text: string };
  reactions?: [emoji: string, ...by: Username[]][];
  editedText?: string;
  pinnedBy?: Username;
  savedMessage?: { by: Username; note: string };
  /** How an earlier message starts: the thread's root, or the quoted message. */
  inThread?: string;
  quotes?: string;
  /** The title of the thread with this root. */
  title?: string;
};

export type Place = {
  name: string;
  description: string;
  privacy: "open" | "private";
  owner: Username;
  members: Username[];
  lines: Line[];
  draft?: { by: Username; text: string };
  /** A scheduled message and the number of days until it is due. */
  scheduledMessage?: { by: Username; inDays: number; text: string };
};

export type Talk = { members: [Username, ...Username[]]; lines: Line[] };

export const DAY = 24 * 60;

export const DIRECTS: Talk[] = [
  {
    members: ["ada", "grace"],
    lines: [
      { by: "grace", ago: 95, text: "Do you have ten minutes before the review?" },
      { by: "ada", ago: 92, text: "For you always. Half past?" },
      { by: "grace", ago: 91, text: "Half past it is.", reactions: [["👍", "ada"]] },
      { by: "grace", ago: 12, text: "I left the logbook on your desk." },
    ],
  },
  {
    members: ["ada", "alan", "katherine"],
    lines: [
      { by: "alan", ago: 3 * DAY, text: "Lunch on Thursday, the three of us?" },
      { by: "katherine", ago: 3 * DAY - 4, text: "Yes. I know a place that is *countably* good." },
      { by: "ada", ago: 3 * DAY - 9, text: "Then I am in." },
    ],
  },
  {
    members: ["ada"],
    lines: [{ by: "ada", ago: 2 * DAY, text: "- [x] order punch cards\n- [ ] write to Mary" }],
  },
];
