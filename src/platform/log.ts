import {
  configureSync,
  getAnsiColorFormatter,
  getJsonLinesFormatter,
  getLogger as logger,
  type LogLevel,
  type LogRecord,
} from "@logtape/logtape";

export type LogSettings = {
  level: "debug" | "info" | "warn" | "error";
  format: "pretty" | "json";
};

/** Past this, lines are written before the turn ends. */
const MAX_WAITING_CHARACTERS = 64 * 1024;

/** Whether lines at `info` are written, in JSON. */
let writesPlainInfo = false;

/** Writes every log line to stderr, since stdout is for a command's output. */
export function configureLog({ level, format }: LogSettings): void {
  const formatter =
    format === "json"
      ? formatJsonLine
      : getAnsiColorFormatter({
          timestamp: "time",
          level: "ABBR",
          format: ({ timestamp, level, category, message, record }) =>
            `${timestamp} ${level} ${category} ${message}${inline(record.properties)}`,
        });
  writesPlainInfo = format === "json" && (level === "info" || level === "debug");
  configureSync({
    reset: true,
    sinks: { stderr: (record) => writeLine(formatter(record), isUrgent(record.level)) },
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

const formatAnyJsonLine = getJsonLinesFormatter({ properties: "flatten", message: "rendered" });
/** Control characters that terminals obey and JSON does not escape. */
const UNESCAPED = /[\u007f-\u009f]/;

/**
 * A line as the library writes it. The library asks a function for each value, whether it is an error
 * or part of a circle; with a line for each request that is a tenth of what the request costs. Here
 * lines of plain values alone are written, and the rest by the library.
 */
function formatJsonLine(record: LogRecord): string {
  const { timestamp, level, message, category, properties } = record;
  if (message.length > 1 || !Object.values(properties).every(isPlain)) {
    return formatAnyJsonLine(record);
  }
  const line = JSON.stringify({
    "@timestamp": new Date(timestamp).toISOString(),
    level: level === "warning" ? "WARN" : level.toUpperCase(),
    message: message[0],
    logger: category.join("."),
    ...properties,
  });
  return UNESCAPED.test(line) ? formatAnyJsonLine(record) : `${line}\n`;
}

function isPlain(value: unknown): boolean {
  return value === null || (typeof value !== "object" && typeof value !== "bigint");
}

function isUrgent(level: LogLevel): boolean {
  return level === "warning" || level === "error" || level === "fatal";
}

let waiting = "";

/**
 * Writes a line to stderr together with the others of this turn of the event loop: under load, a system
 * call for each line is a tenth of what a request costs. An urgent line is written at once, with those
 * that wait.
 */
function writeLine(line: string, isUrgent: boolean): void {
  const isFirst = waiting === "";
  waiting += line;
  if (isUrgent || waiting.length > MAX_WAITING_CHARACTERS) writeWaiting();
  else if (isFirst) setImmediate(writeWaiting);
}

function writeWaiting(): void {
  const lines = waiting;
  waiting = "";
  if (lines !== "") process.stderr.write(lines);
}

process.once("exit", writeWaiting);

/**
 * Logs what happens with each request, as `getLogger(part).info(…)` does. The library makes a record of a
 * line and copies it twice, which is a sixth of what a request costs before it reads anything.
 */
export function logOften(part: string, message: string, properties: Record<string, unknown>): void {
  if (!writesPlainInfo) {
    getLogger(part).info(message, properties);
    return;
  }
  const category = ["snug", part];
  const timestamp = Date.now();
  const record = { category, level: "info", timestamp, message: [message], properties } as const;
  writeLine(formatJsonLine({ ...record, rawMessage: message }), false);
}

/** The logger of one part of the service: `getLogger("feed")` logs as `snug.feed`. */
export function getLogger(part: string) {
  return logger(["snug", part]);
}

/** Properties on the record's line: ` key=value key=value`. */
function inline(properties: Record<string, unknown>): string {
  return Object.entries(properties)
    .map(([key, value]) => ` ${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("");
}
