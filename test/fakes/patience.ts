/**
 * Timeout for a state that must come, in ms: long enough for a busy machine, and only a failing test waits
 * for all of it.
 */
export const patienceMs = 60_000;

/**
 * Time limit in tests for a promised duration in ms: four times as long, because suites run in parallel. `npm
 * run bench` measures the actual duration.
 */
export const promised = (ms: number): number => 4 * ms;

/** CPU time of this process in ms, which other processes do not affect. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
