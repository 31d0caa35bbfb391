import { expect, it } from 'vitest';
import { parseMoment } from './moment.ts';

it.each([
  ['2026-05-01T09:00:00Z', Date.UTC(2026, 4, 1, 9)],
  ['2026-05-01T09:00Z', Date.UTC(2026, 4, 1, 9)],
  [' 2026-05-01 09:00:00.5+02:00\n', Date.UTC(2026, 4, 1, 7, 0, 0, 500)],
  ['2026-05-01t09:00:00z', Date.UTC(2026, 4, 1, 9)],
  ['2028-02-29T00:00:00-12:00', Date.UTC(2028, 1, 29, 12)],
])('%s is a valid moment', (text, at) => expect(parseMoment(text)).toBe(at));

it.each([
  '',
  'tomorrow',
  '2026-05-01',
  '2026-05-01T09:00:00',
  '2026-02-29T09:00Z',
  '2026-04-31T09:00Z',
  '2026-13-01T09:00Z',
  '2026-05-01T25:00Z',
])('%j is not a valid moment', (text) => expect(parseMoment(text)).toBeNull());
