import { describe, expect, it } from 'vitest';
import type { RunGate, RunSummary } from '../../contract/workflow-methods.ts';
import { itemOf, readToken, runEnvelope, tokenOf } from './run-formats.ts';

const id = '7d0f1c52-0000-4000-8000-000000000001';
const hash = 'a'.repeat(64);
const run = (over: Partial<RunSummary>): RunSummary => ({
  id: 'r1',
  name: 'greet',
  file: '',
  definition: hash,
  status: 'waiting',
  message: '',
  initiatedBy: 'operator',
  createdAt: 1,
  endedAt: null,
  archivedAt: null,
  wakeAt: null,
  stepsDone: 0,
  running: [],
  gates: [id],
  costUsd: 0,
  simulatedUsd: 0,
  unpriced: 0,
  ...over,
});
const gate = (over: Partial<RunGate>): RunGate => ({
  id,
  path: 'ask',
  kind: 'approval',
  prompt: 'Go?',
  items: ['{"n":1}'],
  preview: '',
  schemaJson: '',
  defaultsJson: '',
  subjectJson: '',
  named: [],
  needed: 1,
  notInitiator: false,
  votes: [],
  contentHash: hash,
  shortId: '1a2b3c4d',
  expiresAt: null,
  decision: null,
  decidedBy: '',
  decidedAt: null,
  responseJson: '',
  reason: '',
  ...over,
});

describe('Run envelope', () => {
  it('contains a gate’s prompt and a token for exactly this gate', () => {
    const told = runEnvelope(run({}), [gate({ decision: 'approve', prompt: 'before' }), gate({})], '');
    expect(told).toMatchObject({
      status: 'needs_approval',
      runId: 'r1',
      requiresApproval: {
        prompt: 'Go?',
        items: [{ n: 1 }],
        resumeToken: `${id}.${hash}`,
        approvalId: '1a2b3c4d',
      },
    });
    expect(readToken(tokenOf(gate({})))).toEqual({ gate: id, digest: hash });
    for (const other of ['', id, `${id}.${hash}0`, `${id}.`, 'x'.repeat(43)])
      expect(readToken(other)).toBeNull();
  });

  it('contains a structured input gate or an uncertain step', () => {
    const input = gate({ kind: 'input', schemaJson: '{"type":"object"}', subjectJson: '"mail"' });
    expect(runEnvelope(run({}), [input], '')).toMatchObject({
      status: 'needs_input',
      requiresInput: { responseSchema: { type: 'object' }, subject: 'mail' },
    });
    const uncertain = runEnvelope(run({}), [gate({ kind: 'uncertain' })], '');
    expect(uncertain).toMatchObject({ requiresApproval: { kind: 'uncertain' } });
  });

  it('keeps every digit of outputs and items', () => {
    const told = runEnvelope(run({ status: 'ok' }), [], '[12345678901234567890]');
    expect(told).toMatchObject({ output: [12345678901234567890n] });
    const asked = runEnvelope(run({}), [gate({ items: ['{"n":9007199254740993}'] })], '');
    expect(asked).toMatchObject({ requiresApproval: { items: [{ n: 9007199254740993n }] } });
  });

  it('contains the end status and spreads a list output', () => {
    expect(runEnvelope(run({ status: 'ok' }), [], '[1,2]')).toMatchObject({ status: 'ok', output: [1, 2] });
    expect(runEnvelope(run({ status: 'ok' }), [], '')).toMatchObject({ output: [] });
    expect(runEnvelope(run({ status: 'failed', message: 'boom' }), [], '')).toMatchObject({
      ok: false,
      error: { type: 'runtime_error', message: 'boom' },
    });
    expect(runEnvelope(run({ status: 'cancelled' }), [], '')).toMatchObject({
      status: 'cancelled',
      output: [],
    });
    expect(runEnvelope(run({ status: 'waiting', wakeAt: 5 }), [], '')).toMatchObject({
      status: 'waiting',
      wakeAt: 5,
    });
    expect(runEnvelope(run({ status: 'running' }), [], '')).toBeNull();
  });

  it('lists a run by what it waits for', () => {
    expect(itemOf(run({}), [gate({})])).toMatchObject({
      status: 'needs_approval',
      asks: [{ approvalId: '1a2b3c4d' }],
    });
    expect(itemOf(run({}), [gate({ kind: 'input' })]).status).toBe('needs_input');
    expect(itemOf(run({ gates: [] }), []).status).toBe('waiting');
  });
});
