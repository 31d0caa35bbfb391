/** Translates between pressed keys, accelerators of Electron, and the text on screen. */

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'getModifierState'
>;

/** With Alt or Shift a key types another character, so digits and space are read from the physical key. */
function keyOf({ key, code }: Pressed): string {
  if (code === 'Space') return 'Space';
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  if (digit !== undefined) return digit;
  if (/^[a-z]$/i.test(key)) return key.toUpperCase();
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  return letter ?? (/^F\d{1,2}$/.test(key) ? key : '');
}

export const isMac = (): boolean => /mac|iphone|ipad/i.test(navigator.platform);

/**
 * The accelerator of the pressed keys; ends with `+` while only modifiers are down. Empty with AltGr, which
 * types characters.
 */
export function pressedShortcut(event: Pressed, onMac = isMac()): string {
  if (!onMac && event.getModifierState('AltGraph')) return '';
  const modifiers = [
    (onMac ? event.metaKey : event.ctrlKey) && 'CommandOrControl',
    onMac ? event.ctrlKey && 'Control' : event.metaKey && 'Super',
    event.altKey && 'Alt',
    event.shiftKey && 'Shift',
  ].filter((part) => part !== false);
  return [...modifiers, keyOf(event)].join('+');
}

const onScreen: Readonly<Record<string, string>> = { CommandOrControl: 'Ctrl', Control: 'Ctrl' };
const onMacScreen: Readonly<Record<string, string>> = {
  CommandOrControl: '⌘',
  Control: '⌃',
  Alt: '⌥',
  Shift: '⇧',
};

/** Returns for example "Ctrl+Shift+Space" or "⌘⇧Space". */
export function keysText(accelerator: string, onMac = isMac()): string {
  const names = onMac ? onMacScreen : onScreen;
  return accelerator
    .split('+')
    .map((part) => names[part] ?? part)
    .join(onMac ? '' : '+');
}
