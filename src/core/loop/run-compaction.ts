/**
 * Carries out a compaction: one request for the summary, then the shorter transcript. If the model gives no
 * summary, the oldest messages are dropped and a note says so; an unreachable server changes nothing.
 */
import { fail } from '../../contract/fail.ts';
import { type TranscriptMessage, transcriptText, type UserMessage } from '../models/messages.ts';
import { GuardedStream, type StreamEnd } from './guarded-stream.ts';
import { apiKeyOf, guardOf, overheadOf, requestOptions } from './model-request.ts';
import {
  type CompactionLimits,
  type CompactionReport,
  compactionCut,
  compactionLimits,
  droppedMessage,
  isSummary,
  summaryContext,
  summaryMessage,
  withTaint,
} from './plan-compaction.ts';
import type { Run } from './run.ts';
import { cutToTokens } from './tokens.ts';

/** Share of the assumed window, because token estimates are rough. */
const safeShare = 0.9;
/** Each overflow drops half, so this suffices for any window. */
const maxOverflows = 8;

function report(run: Run, what: CompactionReport): void {
  run.config.onCompaction?.(what);
}

function limitsOf(run: Run): CompactionLimits {
  const window = run.settings.model.contextWindow ?? null;
  return compactionLimits(run.config.compaction ?? {}, window, run.transcript.tokens, overheadOf(run));
}

/** An earlier summary alone is not worth another request. */
const isWorthIt = (gone: readonly TranscriptMessage[]): boolean => gone.some((one) => !isSummary(one));

async function askForSummary(
  run: Run,
  gone: readonly TranscriptMessage[],
  { summaryTokens }: CompactionLimits,
): Promise<StreamEnd> {
  const { transcript, settings, config } = run;
  const room = (settings.model.contextWindow ?? Math.max(transcript.tokens, 4_096)) - summaryTokens;
  const context = summaryContext(gone, { inputTokens: Math.floor(room * safeShare), summaryTokens });
  const options = { ...requestOptions(run, settings, await apiKeyOf(run)), maxOutputTokens: summaryTokens };
  const stream = new GuardedStream(guardOf(run), () => undefined);
  return stream.consume((signal) => config.stream(context, options, signal));
}

function replaceOldest(run: Run, cut: number, text: UserMessage): { kept: number; tokens: number } {
  const summary = withTaint(text, run.config.compaction?.isUntrusted?.());
  const kept = run.transcript.messages.slice(cut);
  run.config.journal?.compacted?.(summary, kept.length);
  run.transcript.replace([summary, ...kept]);
  return { kept: kept.length, tokens: run.transcript.tokens };
}

/** True if the transcript is shorter now. */
function drop(run: Run, keepTokens: number, { summaryTokens }: CompactionLimits): boolean {
  const { messages } = run.transcript;
  const cut = compactionCut(messages, keepTokens);
  const gone = messages.slice(0, cut);
  if (!isWorthIt(gone)) return false;
  const left = replaceOldest(run, cut, droppedMessage(gone, run.config.clock.now(), summaryTokens));
  report(run, { type: 'dropped', dropped: cut, ...left });
  return true;
}

/** True if the transcript is shorter now. */
async function compact(run: Run, reason: 'threshold' | 'overflow', keepTokens: number): Promise<boolean> {
  const { transcript, config } = run;
  const limits = limitsOf(run);
  const cut = compactionCut(transcript.messages, keepTokens);
  const gone = transcript.messages.slice(0, cut);
  if (!isWorthIt(gone)) return false;
  report(run, { type: 'started', reason, tokens: transcript.tokens });
  const end = await askForSummary(run, gone, limits);
  const text = transcriptText(end.message).trim();
  if (end.failure || text === '') {
    const error = end.failure?.error ?? fail('model_error', 'turns.modelGaveNoSummary');
    report(run, { type: 'failed', error });
    if (run.signal.aborted || end.failure?.retryable) return false;
    return drop(run, keepTokens, limits);
  }
  const facts = cutToTokens(config.compaction?.keptWords?.() ?? '', limits.summaryTokens);
  const summary = summaryMessage(text, config.clock.now(), facts, limits.summaryTokens);
  report(run, { type: 'done', summarised: cut, ...replaceOldest(run, cut, summary) });
  return true;
}

/** Before a request: compacts only if the window is nearly full. */
export async function compactIfFull(run: Run): Promise<void> {
  if (!run.config.compaction || run.signal.aborted) return;
  const limits = limitsOf(run);
  if (limits.threshold !== null && run.transcript.requestTokens(overheadOf(run)) > limits.threshold)
    await compact(run, 'threshold', limits.keepTokens);
}

/**
 * After the provider reported an overflow: compacts with a summary first, then drops the older half each
 * time, until a request succeeds or nothing can be dropped.
 */
export async function compactForOverflow(run: Run): Promise<boolean> {
  if (!run.config.compaction || run.overflows >= maxOverflows || run.signal.aborted) return false;
  run.overflows += 1;
  const limits = limitsOf(run);
  const keep = Math.min(limits.keepTokens, Math.floor(run.transcript.tokens / 2));
  return run.overflows === 1 ? compact(run, 'overflow', keep) : drop(run, keep, limits);
}
