/** All shortcuts of the window in one table, which key handling, palette and shortcut sheet share. */

export interface Keys {
  /** Control, or Command on macOS. */
  readonly mod?: boolean;
  readonly alt?: boolean;
  readonly shift?: boolean;
  /** `KeyboardEvent.key` in lower case; with Alt, which changes the typed letter, the physical key. */
  readonly key: string;
  /** A printable character, ignored while a text field has the focus. */
  readonly sign?: boolean;
}

export const shortcuts = {
  palette: { mod: true, key: 'k' },
  search: { mod: true, shift: true, key: 'f' },
  searchHere: { mod: true, key: 'f' },
  sheet: { key: '?', sign: true },
  home: { alt: true, key: '1' },
  chat: { alt: true, key: '2' },
  agents: { alt: true, key: '3' },
  inbox: { alt: true, key: '4' },
  work: { alt: true, key: '5' },
  settings: { alt: true, key: '6' },
  newAgent: { alt: true, key: 'n' },
  newTask: { alt: true, key: 't' },
  nextUnread: { alt: true, key: 'u' },
} as const satisfies Record<string, Keys>;
export type ShortcutId = keyof typeof shortcuts;

const onMac = /mac|iphone|ipad/i.test(navigator.platform);

const writes = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const keyOf = (event: KeyboardEvent): string =>
  event.altKey ? event.code.replace(/^(Key|Digit)/, '').toLowerCase() : event.key.toLowerCase();

export function answers(keys: Keys, event: KeyboardEvent): boolean {
  if (keyOf(event) !== keys.key || event.altKey !== (keys.alt ?? false)) return false;
  if (keys.sign) return !event.ctrlKey && !event.metaKey && !writes(event.target);
  const mod = event.ctrlKey || event.metaKey;
  return mod === (keys.mod ?? false) && event.shiftKey === (keys.shift ?? false);
}

/** Returns for example "Ctrl+Shift+F" or "⇧⌘F". */
export function keyWords(id: ShortcutId): string {
  const keys: Keys = shortcuts[id];
  const key = keys.key.toUpperCase();
  if (onMac) return `${keys.alt ? '⌥' : ''}${keys.shift ? '⇧' : ''}${keys.mod ? '⌘' : ''}${key}`;
  return [keys.mod && 'Ctrl', keys.alt && 'Alt', keys.shift && 'Shift', key].filter(Boolean).join('+');
}
