import { expect, it } from 'vitest';
import { isShortcut } from '../../contract/desktop-methods.ts';
import { keysText, pressedShortcut } from './pressed-shortcut.ts';

const keys = {
  key: '',
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  getModifierState: () => false,
};

it.each([
  [{ ctrlKey: true, shiftKey: true, key: 'K', code: 'KeyK' }, 'CommandOrControl+Shift+K'],
  [{ ctrlKey: true, key: ' ', code: 'Space' }, 'CommandOrControl+Space'],
  [{ ctrlKey: true, altKey: true, shiftKey: true, key: '!', code: 'Digit1' }, 'CommandOrControl+Alt+Shift+1'],
  [{ metaKey: true, key: 'F5', code: 'F5' }, 'Super+F5'],
  [{ ctrlKey: true, key: 'z', code: 'KeyY' }, 'CommandOrControl+Z'],
])('%j is the shortcut %s', (pressed, accelerator) => {
  expect(pressedShortcut({ ...keys, ...pressed }, false)).toBe(accelerator);
  expect(isShortcut(accelerator)).toBe(true);
});

it('On macOS, Command is the main modifier, and Alt keeps the letter', () => {
  const pressed = { ...keys, metaKey: true, altKey: true, key: '∆', code: 'KeyJ' };
  expect(pressedShortcut(pressed, true)).toBe('CommandOrControl+Alt+J');
  expect(keysText('CommandOrControl+Alt+J', true)).toBe('⌘⌥J');
  expect(keysText('CommandOrControl+Alt+J', false)).toBe('Ctrl+Alt+J');
});

it('On macOS, Control is a modifier of its own', () => {
  const pressed = { ...keys, ctrlKey: true, altKey: true, key: 'k', code: 'KeyK' };
  expect(pressedShortcut(pressed, true)).toBe('Control+Alt+K');
  expect(isShortcut('Control+Alt+K')).toBe(true);
  expect(keysText('Control+Alt+K', true)).toBe('⌃⌥K');
});

it('AltGr types characters, so it is no modifier', () => {
  const pressed = { ...keys, ctrlKey: true, altKey: true, key: '€', code: 'KeyE' };
  const altGr = { ...pressed, getModifierState: (name: string) => name === 'AltGraph' };
  expect(isShortcut(pressedShortcut(altGr, false))).toBe(false);
});

it.each([
  'K',
  'Shift+K',
  'Alt+K',
  'Alt+Shift+F4',
  'CommandOrControl+',
  'CommandOrControl+Enter',
  'Alt+Alt+K',
  'Hyper+K',
  '',
])('%s is no shortcut of the whole system, because it could be typed or is unknown', (accelerator) =>
  expect(isShortcut(accelerator)).toBe(false),
);
