/** Long enough for a state to come on a machine that does other things as well; it costs time only where it never comes. */
export const patienceMs = 60_000;

/**
 * What was promised in so many milliseconds, as a test may measure it: under CI other work slows everything, so that
 * four times as much is still taken for kept.
 */
export const promised = (ms: number): number => (process.env.CI ? 4 * ms : ms);
