import { expect, it } from 'vitest';
import { createAskShortcut } from './ask-shortcut.ts';

/** A system on which other programs hold some keys. */
function system(taken: readonly string[] = []) {
  const held = new Map<string, () => void>();
  return {
    held,
    register(keys: string, run: () => void) {
      if (keys === 'Super+F24') throw new Error('unknown key');
      if (held.has(keys) || taken.includes(keys)) return false;
      held.set(keys, run);
      return true;
    },
    unregister: (keys: string) => void held.delete(keys),
  };
}

it('Registers one shortcut at a time, and none after it is removed or the app stops', () => {
  const keys = system();
  let pressed = 0;
  const shortcut = createAskShortcut(keys, () => {
    pressed += 1;
  });
  expect(shortcut.set('')).toMatchObject({ ok: true });
  expect([...keys.held.keys()]).toEqual([]);
  expect(shortcut.set('Alt+K')).toMatchObject({ ok: true });
  keys.held.get('Alt+K')?.();
  expect(pressed).toBe(1);
  expect(shortcut.set('Alt+K')).toMatchObject({ ok: true });
  expect(shortcut.set('Alt+J')).toMatchObject({ ok: true });
  expect([...keys.held.keys()]).toEqual(['Alt+J']);
  shortcut.set('');
  expect([...keys.held.keys()]).toEqual([]);
  shortcut.set('Alt+K');
  shortcut.stop();
  expect([...keys.held.keys()]).toEqual([]);
});

it.each(['Alt+K', 'Super+F24'])('Reports a conflict over %s and keeps the working shortcut', (wanted) => {
  const keys = system(['Alt+K']);
  const shortcut = createAskShortcut(keys, () => {});
  expect(shortcut.set(wanted)).toMatchObject({
    error: { code: 'conflict', message: 'Another program already uses this shortcut.' },
  });
  expect(shortcut.isTaken()).toBe(true);
  expect(shortcut.set('Alt+J')).toMatchObject({ ok: true });
  expect(shortcut.isTaken()).toBe(false);
  expect(shortcut.set(wanted)).toMatchObject({ ok: false });
  expect([...keys.held.keys()]).toEqual(['Alt+J']);
  expect(shortcut.isTaken()).toBe(false);
});
