import { DAY, type Place } from "./story.ts";

/** The rooms of the demo with their messages. */
export const ROOMS: Place[] = [
  {
    name: "general",
    description: "What everyone should hear",
    privacy: "open",
    owner: "ada",
    members: ["grace", "alan", "katherine", "edsger", "margaret"],
    draft: { by: "ada", text: "The launch is on **Thursday at ten**. What you need to know:" },
    planned: { by: "ada", inDays: 2, text: "Good morning! Today is the day." },
    lines: [
      {
        by: "ada",
        ago: 2 * DAY + 190,
        text: "Welcome to our snug. Rooms are on the left, `Ctrl`-`B` makes text **bold**, and nothing that you write gets lost.",
        reactions: [["👋", "grace", "alan", "katherine"]],
        pinnedBy: "ada",
      },
      { by: "grace", ago: 2 * DAY + 185, text: "Good morning all. I brought biscuits." },
      { by: "margaret", ago: 2 * DAY + 184, text: "Which kind?" },
      {
        by: "grace",
        ago: 2 * DAY + 183,
        text: "Oat. And one with a moth in it, for the logbook.",
        reactions: [
          ["😄", "ada", "margaret", "alan"],
          ["🦋", "edsger"],
        ],
      },
      {
        by: "katherine",
        ago: DAY + 240,
        text: "The numbers for the launch are in. They agree to the last digit with what I got by hand.",
        picture: "chart",
        saved: { by: "ada", note: "For the talk in Turin" },
        reactions: [
          ["🎉", "ada", "margaret", "grace", "alan"],
          ["🚀", "margaret"],
        ],
      },
      {
        by: "margaret",
        ago: DAY + 236,
        text: "Then we go on Thursday. @ada will you tell the others?",
      },
      { by: "ada", ago: DAY + 231, text: "With pleasure. Details in #launch." },
      {
        by: "edsger",
        ago: 95,
        text: "Reminder: simplicity is prerequisite for reliability.",
        reactions: [["💯", "ada", "alan"]],
      },
      {
        by: "alan",
        ago: 90,
        text: "Can we put that on the wall?",
        quotes: "Reminder: simplicity",
        reactions: [["👍", "ada", "grace"]],
      },
      {
        by: "grace",
        ago: 14,
        text: "The sun goes down over the harbour. Go outside for a minute, all of you.",
        picture: "sunset",
        reactions: [
          ["🌅", "katherine", "ada"],
          ["❤️", "margaret"],
        ],
      },
      {
        by: "margaret",
        ago: 6,
        text: "Back, and it was worth it. @ada shall we look at the checklist before dinner?",
      },
    ],
  },
  {
    name: "engines",
    description: "Code, machines, and what breaks them",
    privacy: "open",
    owner: "alan",
    members: ["ada", "grace", "edsger"],
    lines: [
      {
        by: "alan",
        ago: DAY + 400,
        text: "I have written down how to tell whether it stops:\n\n```ts\nfunction halts(program: Program, input: Input): boolean {\n  // This remark is too small to hold the proof.\n  return undecidable();\n}\n```",
        title: "Does it stop?",
        reactions: [["🤔", "edsger", "ada"]],
      },
      { by: "edsger", ago: DAY + 396, text: "You did not.", inThread: "I have written down" },
      {
        by: "alan",
        ago: DAY + 395,
        text: "I did not.",
        inThread: "I have written down",
        reactions: [["😄", "grace", "ada"]],
      },
      {
        by: "ada",
        ago: DAY + 390,
        text: "Leave it open, and we meet here again in a hundred years.",
        inThread: "I have written down",
      },
      {
        by: "ada",
        ago: DAY + 60,
        text: "What is left before we release:\n\n1. the note on rounding\n2. ~~the table of Bernoulli numbers~~\n3. a second pair of eyes on `carry()`\n\n> The engine can do whatever we know how to order it to perform.",
        edited:
          "What is left before we release:\n\n1. the note on rounding\n2. ~~the table of Bernoulli numbers~~ done\n3. a second pair of eyes on `carry()`\n\n> The engine can do whatever we know how to order it to perform.",
      },
      {
        by: "grace",
        ago: 50,
        text: "My eyes are free. Here is what I found so far.",
        file: {
          name: "carry-review.txt",
          text: "carry(): looks right. The name does not say which way.\n",
        },
        reactions: [["🙏", "ada"]],
      },
      {
        by: "edsger",
        ago: 44,
        text: "Two of them are in the same line, which I count as a third.",
        inThread: "My eyes are free",
      },
      {
        by: "grace",
        ago: 41,
        text: "Then I look at it twice. @ada which way does it carry?",
        inThread: "My eyes are free",
      },
    ],
  },
  {
    name: "launch",
    description: "Thursday, 09:32",
    privacy: "private",
    owner: "margaret",
    members: ["ada", "katherine", "grace"],
    lines: [
      {
        by: "margaret",
        ago: DAY + 220,
        text: "**Checklist**\n\n- guidance: **ready**\n- telemetry: **ready**\n- coffee: *open*",
        reactions: [["✅", "katherine", "ada"]],
      },
      { by: "katherine", ago: DAY + 215, text: "Trajectory is ready. I checked it three times." },
      { by: "grace", ago: 30, text: "Coffee is ready. @katherine you may call it." },
      {
        by: "katherine",
        ago: 28,
        text: "Then: go.",
        reactions: [["🚀", "margaret", "ada", "grace"]],
      },
    ],
  },
  {
    name: "tea-room",
    description: "Anything but work",
    privacy: "open",
    owner: "grace",
    members: ["ada", "alan", "katherine", "margaret"],
    lines: [
      { by: "katherine", ago: DAY + 20, text: "Does anyone have a spare ticket for Saturday?" },
      {
        by: "alan",
        ago: DAY + 12,
        text: "I run that morning, but you can have mine.",
        reactions: [["❤️", "katherine"]],
      },
      { by: "grace", ago: 21, text: "The kettle is on. 🫖" },
    ],
  },
  {
    name: "archive-of-plans",
    description: "What we meant to do",
    privacy: "open",
    owner: "edsger",
    members: ["ada"],
    lines: [{ by: "edsger", ago: 2 * DAY, text: "I propose that we do less." }],
  },
];
