import { readPrebuilt } from "../../src/client-bundle/prebuilt.ts";
import { useBundle } from "../../src/http/spa.ts";

// Loaded before `src/main.ts`, which then bundles nothing: that is half of what its start costs.
useBundle(() => readPrebuilt(process.env.TEST_CLIENT)).catch(() => {});
