/** One run under way: what all parts of the loop share, and the one place where the transcript grows. */
import type { TranscriptMessage } from '../models/messages.ts';
import type { Emit } from './events.ts';
import type { LoopConfig, LoopSettings } from './loop-config.ts';
import type { Transcript } from './transcript.ts';

export interface Run {
  readonly config: LoopConfig;
  readonly settings: LoopSettings;
  readonly transcript: Transcript;
  readonly emit: Emit;
  readonly signal: AbortSignal;
  /** What this run has added, for `agent_end`. */
  readonly created: TranscriptMessage[];
  turnOpen: boolean;
  /** How often the context was shortened for an overflow since the last good answer. */
  overflows: number;
}

/**
 * Recorded before anybody hears of it; what could not be recorded is not kept, though its end is still told.
 * `recorded`: the journal has it already, with the end of its call.
 */
export async function addMessage(run: Run, message: TranscriptMessage, recorded = false): Promise<void> {
  try {
    if (!recorded) run.config.journal?.messageAdded(message);
    run.transcript.push(message);
    run.created.push(message);
  } finally {
    const waiting = run.emit({ type: 'message_end', message });
    if (waiting) await waiting;
  }
}

export async function addWhole(run: Run, message: TranscriptMessage, recorded = false): Promise<void> {
  const waiting = run.emit({ type: 'message_start', message });
  if (waiting) await waiting;
  await addMessage(run, message, recorded);
}
