/** Keyboard movement between messages: the arrow keys move the focus from row to row, and end in the composer. */
import type { KeyboardEvent } from 'react';

const rowsIn = (place: Element | null): readonly HTMLElement[] => [
  ...(place?.querySelectorAll<HTMLElement>('[data-message]') ?? []),
];

function show(row: HTMLElement | undefined): void {
  row?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}

/** For the region of the messages; keys inside a row, such as those of its buttons, keep their meaning. */
export function walkMessages(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const rows = rowsIn(event.currentTarget);
  const at = rows.findIndex((row) => row === event.target);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  if (at + step < rows.length) show(rows[Math.max(0, at + step)]);
  else event.currentTarget.closest('.chat-main, .inspector')?.querySelector('textarea')?.focus();
}

/** From an empty composer to the last message above it. */
export const focusLastMessage = (composer: Element | null): void =>
  show(rowsIn(composer?.closest('.chat-main, .inspector') ?? null).at(-1));
