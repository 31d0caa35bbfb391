import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../engine/events.ts';
import { createSpanBook } from './step-spans.ts';

const started = (path: string, attempt = 1): RunEvent => ({
  type: 'step_started',
  path,
  attempt,
  effect: 'once',
  key: 'k',
});
const ended = (path: string): RunEvent => ({
  type: 'step_ended',
  path,
  result: { kept: { result: {}, parsed: false } },
});
const failed = (path: string, retryAt: number | null): RunEvent => ({
  type: 'step_failed',
  path,
  code: 'failed',
  message: 'no',
  retryAt,
});
const asked = { type: 'gate_opened', path: 'a', slot: 'approval', gate: 'g' } as unknown as RunEvent;
const said = { type: 'gate_decided', gate: 'g', decision: 'approve', by: 'ann' } as unknown as RunEvent;

function told(...events: (readonly [number, RunEvent])[]) {
  const book = createSpanBook();
  for (const [seq, [at, event]] of events.entries())
    book.take({ run: 'r', seq: seq + 1, at, event, previous: '' }, (gate) =>
      gate === 'g' ? 'a' : undefined,
    );
  return book;
}

describe('Work and wait spans of a step', () => {
  it('separate work from the wait for an answer', () => {
    const book = told([10, started('a')], [30, ended('a')], [30, asked], [90, said]);
    expect(book.of('a')).toEqual({
      spans: [
        { kind: 'work', from: 10, to: 30 },
        { kind: 'wait', from: 30, to: 90 },
      ],
      waited: 60,
    });
    expect(book.of('nowhere').spans).toEqual([]);
  });

  it('stay open until the step or the run ends', () => {
    const open = told([10, started('a')], [10, started('b')]);
    expect(open.of('a').spans).toEqual([{ kind: 'work', from: 10, to: null }]);
    const over = told(
      [10, started('a')],
      [20, { type: 'run_finished', status: 'cancelled', message: null, output: null }],
    );
    expect(over.of('a')).toMatchObject({ spans: [{ from: 10, to: 20 }] });
  });

  it('count the time between a failure and its retry as a wait', () => {
    const book = told(
      [0, started('a')],
      [5, failed('a', 50)],
      [50, started('a', 2)],
      [52, failed('a', null)],
    );
    expect(book.of('a')).toMatchObject({ waited: 45 });
    expect(book.of('a').spans).toEqual([
      { kind: 'work', from: 0, to: 5 },
      { kind: 'wait', from: 5, to: 50 },
      { kind: 'work', from: 50, to: 52 },
    ]);
  });

  it('end at the last event before a crash, not at the restart', () => {
    const book = told(
      [0, started('a')],
      [4, { type: 'step_skipped', path: 'b' }],
      [9_000, { type: 'step_interrupted', path: 'a' }],
    );
    expect(book.of('a')).toMatchObject({ spans: [{ from: 0, to: 4 }] });
  });

  it('count the pause of a loop until its next round as a wait', () => {
    const book = told(
      [0, { type: 'block_entered', path: 'loop', deadline: null }],
      [5, { type: 'timer_set', path: 'loop[1]', dueAt: 60 }],
      [61, started('loop[1].a')],
    );
    expect(book.of('loop')).toEqual({ spans: [{ kind: 'wait', from: 5, to: 61 }], waited: 56 });
  });

  it('keep the latest 60 spans and the total wait', () => {
    const tries = Array.from({ length: 200 }, (_, n): readonly (readonly [number, RunEvent])[] => [
      [n * 10, started('a', n + 1)],
      [n * 10 + 4, failed('a', n * 10 + 10)],
    ]).flat();
    const { spans, waited } = told(...tries).of('a');
    expect([spans.length, waited]).toEqual([60, 199 * 6]);
  });
});
