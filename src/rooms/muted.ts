/** SQL, boolean: whether a membership is muted. @param membership the alias of its row */
export const isMuted = (membership: string) =>
  `(${membership}.notify = 'none' or ${isMutedForNow(membership)})`;

/**
 * SQL: until when a membership is muted; null once that time is over. Nothing runs at that time:
 * each query compares it.
 * @param membership the alias of its row
 */
export const mutedUntil = (membership: string) =>
  `case when ${isMutedForNow(membership)} then ${membership}.muted_until end`;

const isMutedForNow = (membership: string) =>
  `coalesce(${membership}.muted_until > clock_timestamp(), false)`;
