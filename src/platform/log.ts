import {
  configureSync,
  getAnsiColorFormatter,
  getJsonLinesFormatter,
  getLogger as logger,
  type LogLevel,
} from "@logtape/logtape";

export type LogSettings = {
  level: "debug" | "info" | "warn" | "error";
  format: "pretty" | "json";
};

/** The lines of this turn of the event loop, which are written together: one write for many requests. */
const lines: string[] = [];

/** Writes the lines that wait for the end of the turn. Warnings and errors do not wait. */
export function flushLog(): void {
  if (lines.length > 0) process.stderr.write(lines.splice(0).join(""));
}

process.on("exit", flushLog);

/** Configures logging. Lines go to stderr, since stdout is for the output of commands. */
export function configureLog({ level, format }: LogSettings): void {
  const formatter =
    format === "json"
      ? getJsonLinesFormatter({ properties: "flatten", message: "rendered" })
      : getAnsiColorFormatter({
          timestamp: "time",
          level: "ABBR",
          format: ({ timestamp, level, category, message, record }) =>
            `${timestamp} ${level} ${category} ${message}${inline(record.properties)}`,
        });
  configureSync({
    reset: true,
    sinks: {
      stderr(record) {
        lines.push(formatter(record));
        if (record.level === "warning" || record.level === "error") flushLog();
        else if (lines.length === 1) setImmediate(flushLog);
      },
    },
    loggers: [
      {
        category: "snug",
        lowestLevel: (level === "warn" ? "warning" : level) as LogLevel,
        sinks: ["stderr"],
      },
      { category: ["logtape", "meta"], lowestLevel: "warning", sinks: ["stderr"] },
    ],
  });
}

/** Returns the logger of a component: `getLogger("feed")` logs as `snug.feed`. */
export function getLogger(part: string) {
  return logger(["snug", part]);
}

/** Formats properties for a log line: ` key=value key=value`. */
function inline(properties: Record<string, unknown>): string {
  return Object.entries(properties)
    .map(([key, value]) => ` ${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("");
}

/**
 * Returns the stack of an error's root cause, for the log. Outer errors may contain a query's
 * parameters, and thereby messages and password hashes, which must not be logged.
 */
export function describeCause(error: unknown): string {
  let root = error;
  while (root instanceof Error && root.cause instanceof Error) root = root.cause;
  return root instanceof Error ? (root.stack ?? root.message) : String(root);
}
