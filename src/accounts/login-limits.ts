import { networkOf, type RateLimit } from "../rate-limits/rate-limits.ts";

const WINDOW_MINUTES = 15;
const MAX_FAILURES_PER_ACCOUNT = 10;
const MAX_FAILURES_PER_ADDRESS = 30;

/** The limit on failures of an account: wrong passwords, codes and proofs together. */
export function accountLimit(account: string): RateLimit {
  return {
    key: `login:account:${account}`,
    max: MAX_FAILURES_PER_ACCOUNT,
    minutes: WINDOW_MINUTES,
  };
}

/** The limit on failures from a network, for all accounts together. */
export function addressLimit(address: string): RateLimit {
  return {
    key: `login:address:${networkOf(address)}`,
    max: MAX_FAILURES_PER_ADDRESS,
    minutes: WINDOW_MINUTES,
  };
}
