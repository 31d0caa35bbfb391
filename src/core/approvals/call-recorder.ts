/**
 * Records calls of agents for the back-test, in batches with a short delay: the audit log is the proof, so
 * calls do not wait for this record, and a crash loses only the last moments.
 */

import { StoreError } from '../lib/store-error.ts';
import type { PolicyCall, PolicyVerdict } from '../policy/policy-call.ts';
import type { Clock, Log, Timer } from '../ports.ts';
import type { GateCall } from './approval-gate.ts';
import type { ConsentStore, RecordedCall } from './approval-ports.ts';
import { stableJson } from './digest.ts';

const flushMs = 500;
const batch = 200;
/** Retention in ms. */
const keptMs = 90 * 86_400_000;

export interface CallRecorder {
  record(call: Omit<RecordedCall, 'seq'>): void;
  flush(): void;
}

/** `at`: ms since the epoch. */
export function recordOf(
  gate: GateCall,
  { digest }: PolicyCall,
  { verdict }: PolicyVerdict,
  at: number,
): Omit<RecordedCall, 'seq'> {
  const { agentId, tool, group = '', args, tainted, assessment, heldBack } = gate;
  const { risk, effects, blocked, preview } = assessment;
  return {
    at,
    agentId,
    tool,
    group,
    title: preview.title,
    argsJson: stableJson(args) ?? '{}',
    digest,
    tainted,
    verdict,
    assessment: { risk, effects, ...(blocked ? { blocked } : {}) },
    ...(heldBack ? { heldBack } : {}),
  };
}

export function createCallRecorder(store: ConsentStore, clock: Clock, log: Log): CallRecorder {
  let waiting: RecordedCall[] = [];
  let timer: Timer | null = null;
  const flush = (): void => {
    timer?.cancel();
    timer = null;
    const calls = waiting;
    waiting = [];
    if (calls.length === 0) return;
    try {
      store.record(calls, clock.now() - keptMs);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      log.warn('calls_not_recorded', { count: calls.length, code: error.code });
    }
  };
  return {
    record(call) {
      waiting.push({ ...call, seq: 0 });
      if (waiting.length >= batch) flush();
      else timer ??= clock.after(flushMs, flush, { unref: true });
    },
    flush,
  };
}
