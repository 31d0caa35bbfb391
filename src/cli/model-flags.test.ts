import { expect, it } from 'vitest';
import { modelPatch } from './model-flags.ts';

it('Model flags become settings; auto resets a setting, and an absent flag changes nothing', () => {
  expect(
    modelPatch({ contextWindow: '32768', maxOutput: '4096', temperature: '0.7', nativeTools: 'off' }),
  ).toEqual({ contextWindow: 32_768, maxOutputTokens: 4_096, temperature: 0.7, nativeTools: false });
  expect(modelPatch({ price: '0.5,1.5,0.05' })).toEqual({
    price: { input: 0.5, output: 1.5, cacheRead: 0.05 },
  });
  expect(modelPatch({ temperature: 'auto', price: 'auto' })).toEqual({ temperature: null, price: null });
  expect(modelPatch({})).toEqual({});
});

it.each([
  { contextWindow: '8k' },
  { contextWindow: '' },
  { maxOutput: '1.5' },
  { temperature: '-1' },
  { nativeTools: 'yes' },
  { price: '1' },
  { price: '1,' },
  { price: '1,2,3,4,5' },
  { price: '1,x' },
])('refuses %o', (flags) => {
  expect(() => modelPatch(flags)).toThrow(/takes/);
});
