import { render } from "preact";
import { Docs } from "./docs.tsx";

const root = document.getElementById("app");
if (root) render(<Docs />, root);
