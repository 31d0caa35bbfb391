/**
 * Decides what a changed resource of an MCP server starts. What counts as handled is stored together with the start, so
 * a change starts once, also across a restart. Too many starts in a short time wait, and then see the newest content.
 */
import { z } from 'zod';
import { cutCodePoints } from '../lib/text.ts';
import { changeText } from '../mcp/change-prompt.ts';
import type { Observed } from '../mcp/observed-content.ts';
import { brakeMs, maxStartsOfOne } from './file-trigger.ts';

export const resourceStateSchema = z.strictObject({
  /** Content that was handled last; `null` before the first look, which starts nothing. */
  seen: z.strictObject({ digest: z.string(), text: z.string() }).nullable(),
  /** Number of starts. */
  started: z.number().int(),
  /** Recent starts, ms, oldest first. */
  recent: z.array(z.number()),
  /** Newest workflow run; `null` if none was started. */
  run: z.string().nullable(),
});
export type ResourceTriggerState = Readonly<z.infer<typeof resourceStateSchema>>;

export const newResourceState: ResourceTriggerState = { seen: null, started: 0, recent: [], run: null };

/** Characters that are kept to compare the next content with. */
const maxKept = 50_000;

export type ResourceLook =
  | { readonly kind: 'same' }
  /** Nothing starts; the state is to be stored. */
  | { readonly kind: 'first'; readonly state: ResourceTriggerState }
  | { readonly kind: 'wait'; readonly ms: number }
  | {
      readonly kind: 'start';
      readonly state: ResourceTriggerState;
      /** Fenced text of the change: untrusted content (T9). */
      readonly change: string;
    };

const kept = ({ digest, text }: Observed): Observed => ({ digest, text: cutCodePoints(text, maxKept) });

export function lookAtResource(
  state: ResourceTriggerState,
  uri: string,
  content: Observed,
  now: number,
): ResourceLook {
  const { seen } = state;
  if (seen === null) return { kind: 'first', state: { ...state, seen: kept(content) } };
  if (seen.digest === content.digest) return { kind: 'same' };
  // After the clock is set back, an old start must not look recent for ever.
  const recent = state.recent.filter((at) => at <= now && now - at < brakeMs);
  const [oldest = now] = recent;
  if (recent.length >= maxStartsOfOne) return { kind: 'wait', ms: oldest + brakeMs - now };
  return {
    kind: 'start',
    state: { ...state, seen: kept(content), started: state.started + 1, recent: [...recent, now] },
    change: changeText([{ uri, before: seen.text, after: content.text }]),
  };
}

/** After a pause: the content at the next look starts nothing. */
export const seenAnew = (state: ResourceTriggerState): ResourceTriggerState => ({
  ...state,
  seen: null,
  recent: [],
});

export const resourceKey = (scheduleId: string, count: number): string =>
  `schedule:${scheduleId}:resource:${count}`;
