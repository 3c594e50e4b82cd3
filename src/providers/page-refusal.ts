import { Refusal } from "../platform/refusal.ts";
import type { Code } from "../wire/codes.ts";

/** Failures whose page says more than their code does. */
export type PageTexts = "not_connected" | "undated";

/** A refusal with texts of its own in other languages. */
export class PageRefusal extends Refusal {
  /** @param whom an administrator to ask; null if none has a name */
  constructor(
    code: Code,
    readonly texts: PageTexts,
    detail: string,
    readonly whom: string | null = null,
  ) {
    super(code, detail);
  }
}
