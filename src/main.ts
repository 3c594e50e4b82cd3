import { lookup } from "node:dns/promises";
import { createFirstLink } from "./invites/invites.ts";
import { type Config, findMisspeltSettings, findWarnings, readConfig } from "./config.ts";
import { checkBackupFolder } from "./backup/scheduled.ts";
import { useDatabase } from "./database/connect.ts";
import { checkPooler } from "./database/pooler.ts";
import { requireRightKey } from "./admin/sealed-columns.ts";
import type { Target } from "./database/target.ts";
import { openDatabase } from "./database/open.ts";
import { explainError } from "./explain.ts";
import { type Listener, listen } from "./http/listen.ts";
import { bundleSpa } from "./http/spa.ts";
import { configureLog, describeCause, flushLog, getLogger } from "./platform/log.ts";
import { createEgress } from "./platform/egress/egress.ts";
import { UnsealError } from "./platform/secrets/sealed.ts";
import { loadSecretKey } from "./platform/secrets/secrets.ts";
import {
  catchStopSignals,
  waitUnlessStopped,
  type StoppedError,
  waitForStop,
} from "./platform/process/stop-signals.ts";
import { createDiscovery } from "./providers/deps.ts";
import { checkSubject } from "./push/vapid.ts";
import { reportSignIn } from "./providers/report.ts";
import { type Service, startService } from "./service.ts";
import { VERSION } from "./wire/version.ts";

const log = getLogger("service");

/**
 * Reads the settings, binds the port, opens and migrates the database, starts the service while the
 * client is bundled, prints its URL, and runs until it is stopped. A stop during startup aborts it, and
 * stops an embedded PostgreSQL server that it has started.
 */
async function runService(stop: AbortSignal): Promise<void> {
  const config = readConfig();
  configureLog(config.log);
  for (const warning of [...findWarnings(config), ...findMisspeltSettings()]) log.warn(warning);
  const listener = await takePort(config);
  // In parallel with the database; `startService` awaits the same bundle and reports its error.
  bundleSpa(config.reloadPages).catch(() => {});
  if (config.backup) await checkBackupFolder(config.backup.folder);
  await loadSecretKey(config.dataDir, config.secretKey);
  const { target, migrated, schema, release } = await openDatabase(config, {
    schema: "migrate",
    creates: true,
    signal: stop,
    log: (line) => log.info(line),
  });
  try {
    logSchema(migrated, schema.appliedCount);
    await checkPooler(target);
    await compareKey(config, target);
    const service = await startAndAnnounce(config, target, listener, stop);
    await waitForStop(stop);
    log.info("Stopping.", { signal: (stop.reason as StoppedError).by });
    await service.stop();
  } finally {
    await release();
  }
}

/** Binds the port before creating anything, so that a second process changes nothing. */
async function takePort(config: Config): Promise<Listener> {
  try {
    return listen(config);
  } catch (error) {
    // Bun reports EADDRINUSE also if it cannot resolve the host.
    const isHost = await lookup(config.host).then(
      () => true,
      () => false,
    );
    throw describeListenError(error, config, isHost);
  }
}

function logSchema(migratedCount: number, appliedCount: number): void {
  log.info("Starting Snug.", { version: VERSION, migrations: appliedCount });
  if (migratedCount === 0) return;
  const migrations = migratedCount === 1 ? "1 migration" : `${migratedCount} migrations`;
  log.info(`Applied ${migrations}.`, { before: appliedCount - migratedCount, after: appliedCount });
}

async function startAndAnnounce(
  config: Config,
  target: Target,
  listener: Listener,
  stop: AbortSignal,
): Promise<Service> {
  const service = await waitUnlessStopped(startService(config, target, {}, listener), stop);
  await printFirstLink(target, service);
  void warnOfSignIn(config, target, service);
  void warnOfContact(config, target);
  log.info(`Snug is ready at ${service.baseUrl}`, { address: service.address, version: VERSION });
  return service;
}

/** Only logs a wrong key: without a start, nobody could enter the secrets again. */
async function compareKey(config: Config, target: Target): Promise<void> {
  const keys = await loadSecretKey(config.dataDir, config.secretKey);
  try {
    await useDatabase(target, ({ db }) => requireRightKey(db, keys));
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    log.error(error.message);
  }
}

async function warnOfSignIn(config: Config, target: Target, { baseUrl }: Service): Promise<void> {
  const egress = createEgress({ allow: config.egressAllow });
  const readKey = () => loadSecretKey(config.dataDir, config.secretKey);
  const deps = { egress, discovery: createDiscovery(), readKey, baseUrl };
  try {
    const { problems } = await useDatabase(target, ({ db }) => reportSignIn(db, deps));
    for (const problem of problems) log.warn(problem);
  } catch (error) {
    log.debug("The sign-in could not be checked.", { error: describeCause(error) });
  }
}

/** Logs in the background if Apple would reject the push contact. Without https there are no pushes. */
async function warnOfContact({ baseUrl, vapidSubject }: Config, target: Target): Promise<void> {
  if (!baseUrl?.startsWith("https:")) return;
  try {
    await useDatabase(target, ({ db }) => checkSubject(db, { baseUrl, subject: vapidSubject }));
  } catch (error) {
    log.warn((error as Error).message);
  }
}

/** Prints the link for the first administrator on the terminal while no account exists. */
async function printFirstLink(target: Target, { baseUrl }: Service): Promise<void> {
  const token = await useDatabase(target, ({ db }) => createFirstLink(db));
  if (!token) return;
  process.stdout.write(
    `\nNo account exists yet. Create the first administrator's here (24 hours, one use):\n\n` +
      `  ${baseUrl}/signup#token=${token}\n\n`,
  );
}

function describeListenError(error: unknown, { host, port }: Config, isHost: boolean): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (isHost && code === "EADDRINUSE") {
    return new Error(
      `Port ${port} on ${host} is in use: stop the process that uses it, or set PORT.`,
    );
  }
  if (isHost && code === "EACCES" && syscall === "listen") {
    return new Error(`PORT ${port} needs privileges that this account does not have (${code}).`);
  }
  if (isHost && syscall !== "listen") return error;
  return new Error(`HOST must be an address or a name of this machine, not "${host}" (${code}).`);
}

const { signal } = catchStopSignals();
// For example the driver's rollback on a lost connection, which must not end the process.
process.on("unhandledRejection", (error) => {
  log.error("Unhandled promise rejection.", { error: describeCause(error) });
});
runService(signal).then(
  () => process.exit(0),
  (error) => {
    if (signal.aborted) process.exit(0);
    flushLog();
    process.stderr.write(`${explainError(error)}\n`);
    process.exit(1);
  },
);
