/** Long enough for a state to come on a machine that does other things as well; it costs time only where it never comes. */
export const patienceMs = 60_000;

/**
 * The limit for what the product promises in so many milliseconds: four times as much, because suites run beside each other.
 * What it really takes is measured by `npm run bench`.
 */
export const promised = (ms: number): number => 4 * ms;

/** Processor time that this process has used, in ms: what other programs do beside it does not count. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
