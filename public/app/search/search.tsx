import { Boundary } from "../session/boundary.tsx";
import { searched } from "../session/navigation.ts";
import { SearchPanel } from "./search-panel.tsx";

/** The search, in its own error boundary, so that an error leaves the room beside it usable. */
export function Search({ isScreen }: { isScreen?: boolean }) {
  return (
    <Boundary of={searched.value}>
      <SearchPanel isScreen={isScreen} />
    </Boundary>
  );
}
