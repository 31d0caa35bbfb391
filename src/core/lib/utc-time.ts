/** A time for people who may be in different time zones, to the minute: `2026-11-24 14:05 UTC`. */
export const utcMinute = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
