import { configureLog } from "../../src/platform/log.ts";
import { useMemory } from "./memory.ts";

useMemory();

// Failures speak through assertions; LOG_LEVEL=debug shows what the service says meanwhile.
const level = process.env.LOG_LEVEL === "debug" ? "debug" : "error";
configureLog({ level, format: "pretty" });
