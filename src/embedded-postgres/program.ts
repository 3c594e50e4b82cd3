import { spawn, type ChildProcess } from "node:child_process";
import type { Account } from "./account.ts";
import { codeOf, messageOf } from "./error.ts";

type Run = {
  program: string;
  args: string[];
  cwd: string;
  account: Account;
  /** A file descriptor, or "ignore". */
  stdout: number | "ignore";
  stderr: number | "pipe";
  /** Runs in a new session, and does not keep this process from ending. */
  isDetached: boolean;
};

type RunningProgram = {
  child: ChildProcess | null;
  /** Resolves with the reason if the program did not start or failed. Never rejects. */
  exit: Promise<string>;
};

/** The shell's PGDATA, PGOPTIONS, TZ or LD_LIBRARY_PATH must not reach PostgreSQL. */
const ENVIRONMENT = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C" };

/** Starts one of PostgreSQL's programs as `account`. Changes to `cwd` before dropping root. */
export function runProgram({
  program,
  args,
  cwd,
  account,
  stdout,
  stderr,
  isDetached,
}: Run): RunningProgram {
  const { promise: exit, resolve } = Promise.withResolvers<string>();
  try {
    const child = spawn(program, args, {
      cwd,
      env: ENVIRONMENT,
      stdio: ["ignore", stdout, stderr],
      detached: isDetached,
      ...(account.isSwitched ? { uid: account.uid, gid: account.gid } : {}),
    });
    child.once("error", (error) => resolve(whyNot(error, account)));
    child.once("close", (code, signal) =>
      resolve(code === 0 ? "" : `it ended with ${signal ?? code}`),
    );
    if (isDetached) child.unref();
    return { child, exit };
  } catch (error) {
    // Bun throws some errors that Node.js emits as an event.
    resolve(whyNot(error, account));
    return { child: null, exit };
  }
}

function whyNot(error: unknown, account: Account): string {
  const code = codeOf(error);
  // The file exists, so the missing file is its dynamic loader.
  if (code === "ENOENT") return "its programs need a Linux with glibc, which this is not";
  if (code === "EPERM" && account.isSwitched) {
    return `this process is root but may not become user ${account.uid}, and PostgreSQL does not run as root`;
  }
  return messageOf(error);
}
