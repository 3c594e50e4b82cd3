import type { Config } from "../config.ts";
import { addSecretKeys, loadSecretKey, parseSecretKeys } from "../platform/secrets/secrets.ts";
import { BackupError } from "./format.ts";

type Keys = Pick<Config, "dataDir" | "secretKey">;

/** Null if the keys are configured, since the operator then stores them elsewhere. */
export async function keysToSave({ dataDir, secretKey }: Keys): Promise<string[] | null> {
  if (secretKey) return null;
  const keys = await loadSecretKey(dataDir, null);
  return keys.map((key) => key.toString("base64"));
}

export async function restoreKeys(
  { dataDir, secretKey }: Keys,
  savedKeys: string[],
): Promise<void> {
  const keys = parseSecretKeys(savedKeys);
  if (!keys) throw new BackupError("The secret key in the backup is not valid.");
  if (!secretKey) await addSecretKeys(dataDir, keys);
}
