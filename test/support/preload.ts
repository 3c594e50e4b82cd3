import { afterEach, beforeEach } from "bun:test";
import { configureLog } from "../../src/platform/log.ts";
import { startTest, endTest } from "./after-test.ts";
import { expectNoComplaints } from "./complaints.ts";
import { useMemory } from "./memory.ts";

useMemory();

// Of every file.
beforeEach(startTest);
afterEach(async () => {
  await endTest();
  expectNoComplaints();
});

// Failures speak through assertions; LOG_LEVEL=debug shows what the service says meanwhile.
const level = process.env.LOG_LEVEL === "debug" ? "debug" : "error";
configureLog({ level, format: "pretty" });
