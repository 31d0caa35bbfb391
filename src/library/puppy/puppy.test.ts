import { expect, it } from 'vitest';
import type { Envelope } from '../../core/workflows/engine/envelope.ts';
import { responseOf } from './fit-envelope.ts';
import { driveWithin } from './puppy.ts';
import type { StandaloneRuntime } from './standalone-runtime.ts';

const told: Envelope = {
  ...({ protocolVersion: 1, ok: true, status: 'ok', output: [] } as const),
  requiresApproval: null,
  requiresInput: null,
};

it('A failing cancel after a timeout causes no unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  let cancelled = 0;
  const engine = {
    answer: () => new Promise<Envelope>((resolve) => setTimeout(() => resolve(told), 100)),
    async cancel() {
      cancelled += 1;
      throw new Error('the disk is full');
    },
    wake: () => undefined,
  };
  const runtime = { engine } as unknown as StandaloneRuntime;
  expect(await driveWithin(runtime, 'r', { timeoutMs: 10 })).toEqual(told);
  process.off('unhandledRejection', note);
  expect([cancelled, unhandled]).toEqual([1, []]);
});

it('A response is parsed as JSON and refused if its numbers would be rounded', () => {
  expect(responseOf('{"n": 9007199254740991}')).toEqual({ ok: true, value: { n: 9007199254740991 } });
  for (const text of ['{"n": 9007199254740993}', '[12345678901234567890]', '{', ''])
    expect(responseOf(text).ok).toBe(false);
});
