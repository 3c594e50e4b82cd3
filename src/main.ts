import { createFirstLink } from "./invites/first-link.ts";
import { type Config, readConfig } from "./config.ts";
import { connect, type Target } from "./database/connect.ts";
import { openDatabase } from "./database/open.ts";
import { explain } from "./explain.ts";
import { bundleSpa } from "./http/spa.ts";
import { describeCause } from "./platform/cause.ts";
import { configureLog, getLogger } from "./platform/log.ts";
import { loadSecretKey } from "./platform/secrets.ts";
import { type Service, startService } from "./service.ts";

const log = getLogger("service");

/** Starts in this order: settings, key, database, schema, service, and the client beside them; then says where it is. */
async function main(): Promise<void> {
  const config = readConfig();
  configureLog(config.log);
  // Beside what the database takes; what goes wrong with it is told when it is waited for.
  bundleSpa().catch(() => {});
  await loadSecretKey(config.dataDir, config.secretKey);
  const database = await openDatabase(config, (line) => log.info(line));
  try {
    const service = await startService(config, database.target);
    stopOnSignal(service, database.release);
    await printFirstLink(database.target, service);
    log.info(`Snug is ready at ${service.baseUrl}`, { address: service.address });
  } catch (error) {
    await database.release();
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

function stopOnSignal(service: Service, release: () => Promise<void>): void {
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info("Stopping.", { signal });
    await service.stop();
    await release();
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop("SIGTERM"));
  process.on("SIGINT", () => void stop("SIGINT"));
  // Something that nobody waited for, such as a driver's own rollback on a lost connection: whoever is
  // connected is not to pay for it.
  process.on("unhandledRejection", (error) => {
    log.error("A promise was left alone.", { error: describeCause(error) });
  });
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

main().catch((error) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
});
