import type { Config } from "../config.ts";
import { resealColumns } from "../admin/sealed-columns.ts";
import {
  makeSecretKey,
  readSecretKey,
  type ReadKey,
  type SecretKeys,
  writeSecretKeys,
} from "../platform/secrets/secrets.ts";
import { type Command, formatCount, inDatabase } from "./command.ts";

/**
 * Reads the secret key on demand, from the environment or the data folder. Commands never create one:
 * in a wrong folder they would encrypt with a key that the service does not have.
 * @throws Error that says what to configure
 */
export function readKeyOf({ dataDir, secretKey }: Config): ReadKey {
  return async () => {
    const keys = await readSecretKey(dataDir, secretKey);
    if (keys) return keys;
    throw new Error(
      `There is no secret key in ${dataDir}: set DATA_DIR or SECRET_KEY as the service has it, or start the service once.`,
    );
  };
}

/**
 * Encrypts all secrets with a new key. If it is interrupted, the settings or the key file still contain
 * both keys, and it can be run again.
 */
export const secretsRotate: Command = {
  name: "secrets rotate",
  summary: "replace the secret key and seal the database's secrets with the new one",
  effect: "operate",
  run: inDatabase(async ({ db }, { config }) => {
    const { dataDir, secretKey } = config;
    if (secretKey) {
      const count = await resealColumns(db, secretKey);
      const text =
        secretKey.length > 1
          ? `Sealed ${formatCount(count, "secret")} with the first key of SECRET_KEY. Remove the other keys and restart.`
          : "Everything is sealed with SECRET_KEY. To replace it, set it to the new key, a comma and the old key, restart, and run this again.";
      return { json: { resealed: count }, text };
    }
    const next: SecretKeys = [makeSecretKey(), ...(await readKeyOf(config)())];
    // Write both keys first, so that a running service can decrypt with either.
    await writeSecretKeys(dataDir, next);
    const count = await resealColumns(db, next);
    await writeSecretKeys(dataDir, [next[0]]);
    const text = `Saved a new key in ${dataDir} and sealed ${formatCount(count, "secret")} with it. Copy it to your backups.`;
    return { json: { resealed: count }, text };
  }),
};
