import type { Align, Block } from "../../../../src/wire/markdown/tree.ts";
import { Inlines, type Known } from "./inlines.tsx";

type TableBlock = Extract<Block, { type: "table" }>;

/** A table, which scrolls sideways in its own frame. */
export function Table({ table, known }: { table: TableBlock; known: Known }) {
  const { align, head, rows } = table;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div class="table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell, i) => (
              <th key={i} scope="col" class={classOf(align[i])}>
                <Inlines nodes={cell} known={known} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {row.map((cell, column) => (
                <td key={column} class={classOf(align[column])}>
                  <Inlines nodes={cell} known={known} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classOf(align: Align | undefined): string | undefined {
  return align === "center" || align === "right" ? align : undefined;
}
