import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TurnPart } from '../../contract/work-methods.ts';
import { pictureWidth, timeScale } from './time-scale.ts';

const part = (kind: TurnPart['kind'], startedAt: number, endedAt: number | null): TurnPart => ({
  id: `${kind}${startedAt}`,
  kind,
  title: '',
  state: 'done',
  startedAt,
  firstAt: null,
  endedAt,
  input: '',
  output: '',
  cut: false,
  model: null,
  approvalId: null,
});

it('compresses a long wait between work, and leaves a short one at scale', () => {
  const parts = [part('model', 0, 2_000), part('wait', 2_000, 3_602_000), part('tool', 3_602_000, 3_604_000)];
  const long = timeScale(parts, { from: 0, to: 3_604_000 });
  expect(long.squeezed).toBe(true);
  expect(long.at(2_000)).toBeGreaterThan(pictureWidth / 4);
  expect(long.at(3_602_000) - long.at(2_000)).toBeLessThan(pictureWidth / 3);
  const short = timeScale([part('model', 0, 9_000), part('wait', 9_000, 10_000)], { from: 0, to: 10_000 });
  expect(short.squeezed).toBe(false);
  expect(short.at(9_000)).toBeCloseTo(900);
});

it('keeps time in order and stays within the picture', () => {
  const times = fc.tuple(fc.integer({ min: 0, max: 1e7 }), fc.integer({ min: 0, max: 1e7 }));
  const some = fc.array(
    fc.record({ kind: fc.constantFrom('model', 'wait', 'retry', 'tool'), times }) as fc.Arbitrary<{
      kind: TurnPart['kind'];
      times: [number, number];
    }>,
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(
      some,
      times,
      fc.array(fc.integer({ min: -10, max: 2e7 }), { maxLength: 20 }),
      (all, turn, moments) => {
        const parts = all.map(({ kind, times: [a, b] }) => part(kind, Math.min(a, b), Math.max(a, b)));
        const scale = timeScale(parts, { from: Math.min(...turn), to: Math.max(...turn) });
        const places = moments.sort((a, b) => a - b).map((time) => scale.at(time));
        for (const [index, place] of places.entries()) {
          expect(place).toBeGreaterThanOrEqual(0);
          expect(place).toBeLessThanOrEqual(pictureWidth + 1e-6);
          expect(place).toBeGreaterThanOrEqual((places[index - 1] ?? 0) - 1e-6);
        }
      },
    ),
  );
});
