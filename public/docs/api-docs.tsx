import { render } from "preact";
import { leaveKeysToInputMethods } from "../app/parts/input-method.ts";
import { Docs } from "./docs.tsx";

leaveKeysToInputMethods();
const root = document.getElementById("app");
if (root) render(<Docs />, root);
