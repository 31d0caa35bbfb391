import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';

/** A list above a text field, from which the keyboard chooses while the field keeps the focus. */
export interface Picker<T> {
  readonly id: string;
  readonly open: boolean;
  readonly at: number;
  readonly found: readonly T[];
  pick(item: T): void;
  /** Selects the first item again. */
  restart(): void;
  /** Returns true if the list handled the key. */
  onKey(event: KeyboardEvent): boolean;
}

interface PickerOf<T> {
  readonly found: readonly T[];
  pick(item: T): void;
  close(): void;
}

export function usePicker<T>({ found, pick, close }: PickerOf<T>): Picker<T> {
  const id = useId();
  const [at, setAt] = useState(0);
  const onKey = (event: KeyboardEvent): boolean => {
    const chosen = found[at];
    if (chosen === undefined) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((at + step + found.length) % found.length);
    else if (event.key === 'Enter' || event.key === 'Tab') pick(chosen);
    else if (event.key === 'Escape') close();
    else return false;
    event.preventDefault();
    return true;
  };
  return { id, open: found.length > 0, at, found, pick, restart: () => setAt(0), onKey };
}

interface MenuOf<T> {
  readonly picker: Picker<T>;
  readonly label: string;
  keyOf(item: T): string;
  render(item: T): ReactNode;
}

export function PickerMenu<T>({ picker, label, keyOf, render }: MenuOf<T>) {
  if (!picker.open) return null;
  return (
    <div className="mention-menu" role="listbox" id={picker.id} aria-label={label} tabIndex={-1}>
      {picker.found.map((item, index) => (
        <div
          key={keyOf(item)}
          id={`${picker.id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === picker.at}
          className="mention"
          // `pointerdown` comes before the text field's blur, which would close this menu.
          onPointerDown={(event) => {
            event.preventDefault();
            picker.pick(item);
          }}
        >
          {render(item)}
        </div>
      ))}
    </div>
  );
}
