/** Carries a compaction out: one request for the summary, then the shorter transcript. Fails without changing anything. */
import { appError } from '../../contract/errors.ts';
import { messageText } from '../models/messages.ts';
import {
  type CompactionReport,
  compactionCut,
  compactionLimits,
  summaryContext,
  summaryMessage,
} from './compaction.ts';
import { GuardedStream } from './guarded-stream.ts';
import { apiKeyOf, guardOf, optionsOf } from './model-request.ts';
import type { Run } from './run.ts';

const maxSummaryTokens = 4_096;

function report(run: Run, what: CompactionReport): void {
  run.config.onCompaction?.(what);
}

/** True when the transcript is shorter now. */
async function compact(run: Run, reason: 'threshold' | 'overflow', keepTokens: number): Promise<boolean> {
  const { transcript, settings, config } = run;
  const messages = transcript.messages;
  const cut = compactionCut(messages, keepTokens);
  if (cut === 0) return false;
  report(run, { type: 'started', reason, tokens: transcript.tokens });
  const room = (settings.model.contextWindow ?? transcript.tokens) - maxSummaryTokens * 2;
  const context = summaryContext(messages.slice(0, cut), Math.floor(room * 0.8));
  const options = { ...optionsOf(run, settings, await apiKeyOf(run)), maxOutputTokens: maxSummaryTokens };
  const stream = new GuardedStream(guardOf(run), () => undefined);
  const end = await stream.consume((signal) => config.stream(context, options, signal));
  const text = messageText(end.message).trim();
  if (end.failure || text === '') {
    const error = end.failure?.error ?? appError('model_error', 'The model gave no summary.');
    report(run, { type: 'failed', error });
    return false;
  }
  const keptWords = config.compaction?.keptWords?.() ?? '';
  const untrusted = config.compaction?.isUntrusted?.() ?? false;
  const summary = summaryMessage(text, config.clock.now(), keptWords, untrusted);
  const kept = messages.slice(cut);
  config.journal?.compacted?.(summary, kept.length);
  transcript.replace([summary, ...kept]);
  report(run, { type: 'done', summarised: cut, kept: kept.length, tokens: transcript.tokens });
  return true;
}

/** Before a request: only when the window is about to fill up. A failure is reported and the request made as it is. */
export async function compactIfFull(run: Run): Promise<void> {
  const { compaction } = run.config;
  if (!compaction || run.signal.aborted) return;
  const { tokens } = run.transcript;
  const limits = compactionLimits(compaction, run.settings.model.contextWindow ?? null, tokens);
  if (limits.threshold !== null && tokens > limits.threshold)
    await compact(run, 'threshold', limits.keepTokens);
}

/** After the provider said that the context does not fit: once, until a request has succeeded again. */
export async function compactForOverflow(run: Run): Promise<boolean> {
  const { compaction } = run.config;
  if (!compaction || run.overflowHandled || run.signal.aborted) return false;
  run.overflowHandled = true;
  const { tokens } = run.transcript;
  const limits = compactionLimits(compaction, run.settings.model.contextWindow ?? null, tokens);
  return compact(run, 'overflow', Math.min(limits.keepTokens, Math.floor(tokens / 2)));
}
