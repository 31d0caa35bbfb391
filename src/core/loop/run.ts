/** State of a running loop, shared by its parts; only this module appends to the transcript. */
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
  /** Messages added by this run, for `agent_end`. */
  readonly created: TranscriptMessage[];
  turnOpen: boolean;
  /** Context reductions for overflow since the last good answer. */
  overflows: number;
}

/**
 * Records the message before listeners see it. If recording fails, the message is not kept, but its end is
 * still emitted. `recorded`: the journal already has it, with the end of its call.
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
