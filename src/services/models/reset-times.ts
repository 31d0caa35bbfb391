/** When a server that refused a request because of a limit accepts requests again, if it sent no `Retry-After`. */

type Header = (name: string) => string | null;

const longestMs = 8 * 86_400_000;

const inTime = (ms: number): number | undefined =>
  Number.isFinite(ms) && ms >= 0 && ms <= longestMs ? Math.ceil(ms) : undefined;

/** ms from now; `undefined` if the server does not say. Limits of a plan go before those of a minute. */
export function resetInMs(header: Header, body: string, nowMs: number): number | undefined {
  return planReset(header, body, nowMs) ?? minuteReset(header, nowMs);
}

/** Limits of subscriptions: Anthropic's headers, and the body of the server behind Codex. */
function planReset(header: Header, body: string, nowMs: number): number | undefined {
  const seconds = header('anthropic-ratelimit-unified-reset') ?? '';
  if (/^\d{10}$/.test(seconds)) return inTime(Number(seconds) * 1000 - nowMs);
  const inSeconds = /"resets_in_seconds"\s*:\s*(\d{1,7})\b/.exec(body)?.[1];
  if (inSeconds !== undefined) return inTime(Number(inSeconds) * 1000);
  const at = /"resets_at"\s*:\s*(\d{10})\b/.exec(body)?.[1];
  return at === undefined ? undefined : inTime(Number(at) * 1000 - nowMs);
}

const anthropicLimits = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const;
const openAiLimits = ['requests', 'tokens'] as const;

/** The last of the limits that are used up. */
function minuteReset(header: Header, nowMs: number): number | undefined {
  const waits: number[] = [];
  for (const limit of anthropicLimits)
    if (header(`anthropic-ratelimit-${limit}-remaining`) === '0')
      waits.push(Date.parse(header(`anthropic-ratelimit-${limit}-reset`) ?? '') - nowMs);
  for (const limit of openAiLimits)
    if (header(`x-ratelimit-remaining-${limit}`) === '0')
      waits.push(durationMs(header(`x-ratelimit-reset-${limit}`) ?? ''));
  const known = waits.filter((ms) => inTime(ms) !== undefined);
  return known.length === 0 ? undefined : inTime(Math.max(...known));
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** OpenAI writes `6m0s`, `1.5s` or `120ms`. */
function durationMs(text: string): number {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[smhd]))+$/.test(text)) return Number.NaN;
  let sum = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g))
    sum += Number(count) * (unitMs[unit] ?? 0);
  return sum;
}
