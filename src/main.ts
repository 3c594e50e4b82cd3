import { createFirstLink } from "./invites/links.ts";
import { type Config, readConfig, warningsOf } from "./config.ts";
import { connect, type Target } from "./database/connect.ts";
import { openDatabase } from "./database/open.ts";
import { explain } from "./explain.ts";
import { bundleSpa } from "./http/spa.ts";
import { describeCause } from "./platform/cause.ts";
import { configureLog, getLogger } from "./platform/log.ts";
import { loadSecretKey } from "./platform/secrets.ts";
import {
  catchStopSignals,
  orStopped,
  type StoppedError,
  untilStopped,
} from "./platform/stop-signals.ts";
import { type Service, startService } from "./service.ts";

const log = getLogger("service");

/**
 * Starts in this order: settings, key, database, schema, service, and the client beside them; then
 * says where it is, and runs until it is asked to stop. A stop during the start ends the start: what
 * it has started by then, an embedded PostgreSQL above all, does not stay behind.
 */
async function main(stop: AbortSignal): Promise<void> {
  const config = readConfig();
  configureLog(config.log);
  for (const warning of warningsOf(config)) log.warn(warning);
  // Beside what the database takes; what goes wrong with it is told when it is waited for.
  bundleSpa(config.reloadPages).catch(() => {});
  await loadSecretKey(config.dataDir, config.secretKey);
  const { target, release } = await openDatabase(config, {
    log: (line) => log.info(line),
    signal: stop,
  });
  try {
    const service = await start(config, target, stop);
    await untilStopped(stop);
    log.info("Stopping.", { signal: (stop.reason as StoppedError).by });
    await service.stop();
  } finally {
    await release();
  }
}

async function start(config: Config, target: Target, stop: AbortSignal): Promise<Service> {
  try {
    const service = await orStopped(startService(config, target), stop);
    await printFirstLink(target, service);
    log.info(`Snug is ready at ${service.baseUrl}`, { address: service.address });
    return service;
  } catch (error) {
    throw startError(error, config);
  }
}

/** While no account exists: the one way in, on the terminal of whoever started the service. */
async function printFirstLink(target: Target, { baseUrl }: Service): Promise<void> {
  const database = connect(target, 1);
  const token = await createFirstLink(database.db);
  await database.close();
  if (!token) return;
  process.stdout.write(
    `\nNo account exists yet. Make the first administrator's here (24 hours, one use):\n\n` +
      `  ${baseUrl}/signup#token=${token}\n\n`,
  );
}

function startError(error: unknown, { host, port }: Config): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    return new Error(
      `Port ${port} on ${host} is taken: stop what uses it, or set PORT to another.`,
    );
  }
  if (code === "EACCES" && syscall === "listen") {
    return new Error(`PORT ${port} may not be used by this account (${code}).`);
  }
  if (syscall === "listen" || (syscall === "getaddrinfo" && message.endsWith(host))) {
    return new Error(`HOST must be an address or a name of this machine, not "${host}" (${code}).`);
  }
  return error;
}

const { signal } = catchStopSignals();
// Something that nobody waited for, such as a driver's own rollback on a lost connection: it must not
// end the process for all who are connected.
process.on("unhandledRejection", (error) => {
  log.error("A promise was left alone.", { error: describeCause(error) });
});
main(signal).then(
  () => process.exit(0),
  (error) => {
    if (signal.aborted) process.exit(0);
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  },
);
