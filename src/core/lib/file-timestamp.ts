/** A moment (ms since the epoch) as part of a file name: UTC, ISO 8601 with `-` for `:` and `.`. */
export const fileTimestamp = (ms: number): string => new Date(ms).toISOString().replaceAll(/[:.]/g, '-');
