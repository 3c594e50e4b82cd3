import type { IconNode } from "lucide";

/** The hearth of the logo, for screens that welcome someone or lead back. */
export const HEARTH: IconNode = [
  ["path", { d: "M3.5 21v-9.5a8.5 8.5 0 0 1 17 0V21z" }],
  ["path", { d: "M8.5 21v-7.5a3.5 3.5 0 0 1 7 0V21" }],
  [
    "path",
    { d: "M12 17.5c-1.25-1-1.25-2.25 0-3.5 1.25 1.25 1.25 2.5 0 3.5z", fill: "currentColor" },
  ],
  ["path", { d: "M1.5 21h21" }],
];
