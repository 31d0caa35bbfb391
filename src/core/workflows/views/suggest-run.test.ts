import { expect, test } from 'vitest';
import { nearRun } from './suggest-run.ts';

const ids = ['1c4586b4-3e71-446f-ac86-4d17770e8ce0', '76737e32-0000-4000-8000-000000000000'];

test.each([
  ['1c4586b5', '1c4586b4'],
  ['1c486b4', '1c4586b4'],
  ['1c4586b4-3e71-446f-ac86-4d17770e8ce1', '1c4586b4-3e71-446f-ac86-4d17770e8ce0'],
  ['ffff', null],
])('The closest run id to %s is %s', (wanted, near) => {
  expect(nearRun(wanted, ids)).toBe(near);
});
