import { createFirstLink } from "./invites/links.ts";
import { type Config, readConfig, findWarnings } from "./config.ts";
import { connectDatabase } from "./database/connect.ts";
import type { Target } from "./database/target.ts";
import { openDatabase } from "./database/open.ts";
import { explainError } from "./explain.ts";
import { bundleSpa } from "./http/spa.ts";
import { describeCause } from "./platform/cause.ts";
import { createEgress } from "./platform/egress/egress.ts";
import { configureLog, getLogger } from "./platform/log.ts";
import { loadSecretKey } from "./platform/secrets.ts";
import {
  catchStopSignals,
  waitUnlessStopped,
  type StoppedError,
  waitForStop,
} from "./platform/stop-signals.ts";
import { createDiscovery } from "./providers/deps.ts";
import { reportSignIn } from "./providers/report.ts";
import { type Service, startService } from "./service.ts";

const log = getLogger("service");

/**
 * Reads the settings and the secret key, opens and migrates the database, starts the service while the
 * client is bundled, prints its address, and runs until it is asked to stop. A stop during the start
 * ends it, and stops an embedded PostgreSQL that it has started.
 */
async function runService(stop: AbortSignal): Promise<void> {
  const config = readConfig();
  configureLog(config.log);
  for (const warning of findWarnings(config)) log.warn(warning);
  // In parallel with the database; `startService` awaits the same bundle and reports its error.
  bundleSpa(config.reloadPages).catch(() => {});
  await loadSecretKey(config.dataDir, config.secretKey);
  const { target, release } = await openDatabase(config, {
    log: (line) => log.info(line),
    signal: stop,
  });
  try {
    const service = await startAndAnnounce(config, target, stop);
    await waitForStop(stop);
    log.info("Stopping.", { signal: (stop.reason as StoppedError).by });
    await service.stop();
  } finally {
    await release();
  }
}

async function startAndAnnounce(
  config: Config,
  target: Target,
  stop: AbortSignal,
): Promise<Service> {
  try {
    const service = await waitUnlessStopped(startService(config, target), stop);
    await printFirstLink(target, service);
    void warnOfSignIn(config, target, service);
    log.info(`Snug is ready at ${service.baseUrl}`, { address: service.address });
    return service;
  } catch (error) {
    throw describeStartError(error, config);
  }
}

/** Logs what is wrong with the sign-in; nothing waits for it. */
async function warnOfSignIn(config: Config, target: Target, { baseUrl }: Service): Promise<void> {
  const database = connectDatabase(target, 1);
  try {
    const egress = createEgress({ allow: config.egressAllow });
    const readKey = () => loadSecretKey(config.dataDir, config.secretKey);
    const deps = { egress, discovery: createDiscovery(), readKey, baseUrl };
    const { problems } = await reportSignIn(database.db, deps);
    for (const problem of problems) log.warn(problem);
  } catch (error) {
    log.debug("The sign-in could not be checked.", { error: describeCause(error) });
  } finally {
    await database.close();
  }
}

/** Prints the link for the first administrator on the terminal while no account exists. */
async function printFirstLink(target: Target, { baseUrl }: Service): Promise<void> {
  const database = connectDatabase(target, 1);
  const token = await createFirstLink(database.db);
  await database.close();
  if (!token) return;
  process.stdout.write(
    `\nNo account exists yet. Create the first administrator's here (24 hours, one use):\n\n` +
      `  ${baseUrl}/signup#token=${token}\n\n`,
  );
}

function describeStartError(error: unknown, { host, port }: Config): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    return new Error(
      `Port ${port} on ${host} is in use: stop the process that uses it, or set PORT.`,
    );
  }
  if (code === "EACCES" && syscall === "listen") {
    return new Error(`PORT ${port} needs privileges that this account does not have (${code}).`);
  }
  if (syscall === "listen" || (syscall === "getaddrinfo" && message.endsWith(host))) {
    return new Error(`HOST must be an address or a name of this machine, not "${host}" (${code}).`);
  }
  return error;
}

const { signal } = catchStopSignals();
// Such as a driver's own rollback on a lost connection: it must not end the process for everyone who is
// connected.
process.on("unhandledRejection", (error) => {
  log.error("Unhandled promise rejection.", { error: describeCause(error) });
});
runService(signal).then(
  () => process.exit(0),
  (error) => {
    if (signal.aborted) process.exit(0);
    process.stderr.write(`${explainError(error)}\n`);
    process.exit(1);
  },
);
