import { ListFilter } from "lucide";
import { quietRest } from "../parts/load-rest.tsx";
import { MenuButton } from "../parts/menu.tsx";
import { t } from "../words/translate.ts";

const ViewMenuList = quietRest("ViewMenuList");

/** The order of the rooms, and actions on all of them. */
export function ViewMenu() {
  return (
    <MenuButton
      icon={ListFilter}
      label={t("room-list.view")}
      list={(anchor, onClose) => <ViewMenuList anchor={anchor} onClose={onClose} />}
    />
  );
}
