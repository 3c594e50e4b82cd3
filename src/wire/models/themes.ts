import { type Static, Type as t } from "@sinclair/typebox";
import { COLOR_PATTERN } from "../patterns.ts";
import { Id, Timestamp } from "./basics.ts";

/** The colours of the client. */

export const Preset = t.Union([
  t.Literal("dark"),
  t.Literal("light"),
  t.Literal("midnight"),
  t.Literal("sunset"),
]);
export const Theme = t.Union([...Preset.anyOf, t.Literal("custom")]);
const Color = t.String({ pattern: COLOR_PATTERN, expected: "a colour such as #1a2b3c" });

/** The twelve colours of a theme, from which all others are mixed. */
export const Colors = t.Object({
  background: Color,
  surface: Color,
  sidebar: Color,
  border: Color,
  text: Color,
  text_muted: Color,
  accent: Color,
  accent_strong: Color,
  accent_soft: Color,
  highlight: Color,
  danger: Color,
  on_accent: Color,
});

/** A saved theme. */
export const CustomTheme = t.Object({
  id: Id,
  name: t.String(),
  colors: Colors,
  is_dark: t.Boolean({ description: "Whether native controls are dark" }),
  created_at: Timestamp,
});

export type Preset = Static<typeof Preset>;
export type Theme = Static<typeof Theme>;
export type Colors = Static<typeof Colors>;
export type CustomTheme = Static<typeof CustomTheme>;
