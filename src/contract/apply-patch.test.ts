import { expect, it } from 'vitest';
import { applyPatch } from './apply-patch.ts';

it('T26: a key such as __proto__ from a server is stored as plain data', () => {
  const before: { presence: Record<string, unknown> } = { presence: {} };
  const once = applyPatch(before, [
    { op: 'set', path: ['presence', '__proto__'], value: { state: 'busy' } },
    { op: 'set', path: ['presence', 'constructor'], value: { state: 'idle' } },
  ]);
  const { presence } = applyPatch(once, [
    { op: 'set', path: ['presence', '__proto__', 'state'], value: 'idle' },
    { op: 'set', path: ['presence', 'bob'], value: { state: 'error' } },
  ]);
  expect(Object.keys(presence).sort()).toEqual(['__proto__', 'bob', 'constructor']);
  expect(Object.getPrototypeOf(presence)).toBe(Object.prototype);
  expect(presence.state).toBeUndefined();
  expect(JSON.stringify(presence)).toContain('"__proto__":{"state":"idle"}');
  const gone = applyPatch({ presence }, [{ op: 'delete', path: ['presence', '__proto__'] }]);
  expect(Object.keys(gone.presence).sort()).toEqual(['bob', 'constructor']);
  expect(({} as Record<string, unknown>).state).toBeUndefined();
});
