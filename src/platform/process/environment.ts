/** An invalid value. The message is one sentence that names the variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

export type Environment = Record<string, string | undefined>;

/** Reads a variable; null if it is not set. An empty variable counts as not set, as in a shell's `${X:-}`. */
export function readText(env: Environment, name: string): string | null {
  const value = env[name]?.trim();
  return value ? value : null;
}

/** @throws ConfigError unless the value is a whole number in the range */
export function readInteger(
  env: Environment,
  name: string,
  fallback: number,
  min: number,
  max: number,
): number {
  const value = readText(env, name);
  if (value === null) return fallback;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}".`);
  }
  return number;
}

/** @throws ConfigError for any other value */
export function readChoice<T extends string>(
  env: Environment,
  name: string,
  values: T[],
  fallback: T,
): T {
  const value = readText(env, name);
  if (value === null) return fallback;
  const choice = values.find((candidate) => candidate === value);
  if (!choice)
    throw new ConfigError(`${name} must be one of ${values.join(", ")}, not "${value}".`);
  return choice;
}

/** @throws ConfigError unless the value is a URL with one of these protocols, such as `https:` */
export function readUrl(env: Environment, name: string, protocols: string[]): string | null {
  const value = readText(env, name);
  if (value === null) return null;
  // The value is not included in the message, since it may contain a password.
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new ConfigError(
      `${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(" or ")}.`,
    );
  }
  return value;
}

/** @throws ConfigError unless the value is an origin */
export function readOrigin(env: Environment, name: string): string | null {
  const value = readUrl(env, name, ["http:", "https:"]);
  if (value === null) return null;
  const url = new URL(value);
  if (url.pathname !== "/" || url.search || url.hash || url.username || url.password) {
    throw new ConfigError(
      `${name} must be an origin such as https://chat.example.org, without a path.`,
    );
  }
  return url.origin;
}
