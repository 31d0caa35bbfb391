import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LogLine } from '../../contract/work-methods.ts';
import { LogBuffer, wholeLog } from './log-buffer.ts';

const line = (n: number, more: Partial<LogLine> = {}): LogLine => ({
  id: `1:${n}`,
  at: n,
  level: 'info',
  event: `e${n}`,
  agent: '',
  rest: '',
  ...more,
});
const lines = (from: number, count: number): LogLine[] =>
  Array.from({ length: count }, (_, n) => line(from + n));
const events = (buffer: LogBuffer): string[] => buffer.shown.map(({ event }) => event);

it('takes every batch once, even if earlier batches are delivered again', () => {
  const buffer = new LogBuffer();
  buffer.take({ batches: { 0: lines(0, 2) } });
  buffer.take({ batches: { 0: lines(0, 2), 1: lines(2, 1) } });
  buffer.take({ batches: { 1: lines(2, 1), 2: lines(3, 1) } });
  expect(events(buffer)).toEqual(['e0', 'e1', 'e2', 'e3']);
});

it('marks missed batches, and starts over when the host’s batch numbers restart', () => {
  const buffer = new LogBuffer();
  buffer.take({ batches: { 0: lines(0, 1) } });
  buffer.take({ batches: { 4: lines(9, 1), 5: lines(10, 1) } });
  expect(events(buffer)).toEqual(['e0', 'lines_skipped', 'e9', 'e10']);
  buffer.take({ batches: { 0: lines(50, 1) } });
  expect(events(buffer)).toEqual(['e50']);
});

it('filters existing and new lines', () => {
  const buffer = new LogBuffer();
  const all = [
    line(0, { level: 'error' }),
    line(1, { agent: 'guide' }),
    line(2, { rest: '"path":"Notes.md"' }),
  ];
  buffer.take({ batches: { 0: all } });
  buffer.filter({ ...wholeLog, level: 'warn' });
  expect(events(buffer)).toEqual(['e0']);
  buffer.filter({ ...wholeLog, agent: 'guide' });
  buffer.take({ batches: { 0: all, 1: [line(3, { agent: 'guide' }), line(4)] } });
  expect(events(buffer)).toEqual(['e1', 'e3']);
  buffer.filter({ ...wholeLog, text: 'notes' });
  expect(events(buffer)).toEqual(['e2']);
  buffer.prepend([line(-1)]);
  expect(events(buffer)).toEqual(['e-1', 'e2']);
  expect(buffer.oldest).toBe('1:-1');
});

it('drops the oldest lines above its cap and reports how far the first index moved', () => {
  const buffer = new LogBuffer();
  buffer.prepend(lines(-5, 5));
  let cut = false;
  for (let batch = 0; batch < 65; batch += 1)
    cut = buffer.take({ batches: { [batch]: lines(batch * 1_000, 1_000) } }) || cut;
  expect(cut).toBe(true);
  expect(buffer.shown.length).toBeLessThan(60_000);
  expect(buffer.shown.at(-1)?.event).toBe('e64999');
  // Index `n` before is index `n - shift` now: the first visible line was written as number `shift`.
  expect(buffer.shown[0]?.event).toBe(`e${buffer.shift}`);
});

it('shows the same lines as a plain filter over all lines', () => {
  const some = fc.array(
    fc.record({ level: fc.constantFrom('debug', 'info', 'warn', 'error'), agent: fc.constantFrom('', 'a') }),
  );
  const level = fc.constantFrom('debug' as const, 'warn' as const);
  fc.assert(
    fc.property(some, some, level, (before, after, least) => {
      const first = before.map((one, n) => line(n, one as Partial<LogLine>));
      const second = after.map((one, n) => line(100 + n, one as Partial<LogLine>));
      const buffer = new LogBuffer();
      buffer.take({ batches: { 0: first } });
      buffer.filter({ level: least, agent: 'a', text: '' });
      buffer.take({ batches: { 0: first, 1: second } });
      const worst = least === 'debug' ? ['debug', 'info', 'warn', 'error'] : ['warn', 'error'];
      const plain = [...first, ...second].filter((one) => one.agent === 'a' && worst.includes(one.level));
      expect(events(buffer)).toEqual(plain.map(({ event }) => event));
    }),
  );
});
