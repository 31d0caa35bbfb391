/** Whether a later attempt may succeed without a change by the user. */
export const isRetryableCode = (code: string): boolean =>
  ['unavailable', 'timeout', 'rate_limited', 'protocol', 'unauthenticated', 'locked'].includes(code);
