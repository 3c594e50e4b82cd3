import { spawn, type ChildProcess } from "node:child_process";

import type { Account } from "./account.ts";
import { codeOf, messageOf } from "./error.ts";

export type Run = {
  program: string;
  args: string[];
  cwd: string;
  account: Account;
  /** Descriptor, "ignore" or "pipe" for stdout and stderr. */
  stdout: number | "ignore";
  stderr: number | "pipe";
  /** In a session of its own, and not waited for when this process ends. */
  detached: boolean;
};

export type Running = {
  child: ChildProcess | null;
  /** Why it did not start, or how it ended if not with 0, in words. Never rejects. */
  ended: Promise<string>;
};

/** Not inherited: PGDATA, PGOPTIONS, TZ or LD_LIBRARY_PATH of the shell must not reach PostgreSQL. */
const ENVIRONMENT = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", LC_ALL: "C" };

/** Starts one of PostgreSQL's programs as `account`. It enters `cwd` before it drops root. */
export function runProgram({
  program,
  args,
  cwd,
  account,
  stdout,
  stderr,
  detached,
}: Run): Running {
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  try {
    const child = spawn(program, args, {
      cwd,
      env: ENVIRONMENT,
      stdio: ["ignore", stdout, stderr],
      detached,
      ...(account.switched ? { uid: account.uid, gid: account.gid } : {}),
    });
    child.once("error", (error) => resolve(whyNot(error, account)));
    child.once("close", (code, signal) =>
      resolve(code === 0 ? "" : `it ended with ${signal ?? code}`),
    );
    if (detached) child.unref();
    return { child, ended };
  } catch (error) {
    // Bun throws some of what Node.js reports as an event.
    resolve(whyNot(error, account));
    return { child: null, ended };
  }
}

function whyNot(error: unknown, account: Account): string {
  const code = codeOf(error);
  // The file exists: the loader that it names is missing.
  if (code === "ENOENT") return "its programs need a Linux with glibc, which this is not";
  if (code === "EPERM" && account.switched) {
    return `this process is root but may not become user ${account.uid}, and PostgreSQL does not run as root`;
  }
  return messageOf(error);
}
