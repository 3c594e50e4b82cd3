import { Boundary } from "../session/boundary.tsx";
import { searched } from "../session/navigation.ts";
import { SearchPanel } from "./search-panel.tsx";

/** The search, in a boundary of its own: the room beside it goes on. */
export function Search({ isScreen }: { isScreen?: boolean }) {
  return (
    <Boundary of={searched.value}>
      <SearchPanel isScreen={isScreen} />
    </Boundary>
  );
}
