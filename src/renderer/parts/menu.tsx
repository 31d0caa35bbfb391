import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from '../mark/icon.tsx';

const entriesOf = (place: HTMLElement | null): HTMLElement[] => [
  ...(place?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
];

/** A small menu: arrows move, Escape closes and gives the focus back to its button. */
export function Menu({ label, children }: { label: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    entriesOf(place.current)[0]?.focus();
    const away = (event: PointerEvent): void => {
      if (event.target instanceof Node && !place.current?.contains(event.target)) setOpen(false);
    };
    window.addEventListener('pointerdown', away);
    return () => window.removeEventListener('pointerdown', away);
  }, [open]);
  const onKey = (event: KeyboardEvent): void => {
    const all = entriesOf(place.current);
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Escape' || event.key === 'Tab') {
      if (event.key === 'Escape') event.preventDefault();
      setOpen(false);
      button.current?.focus();
    }
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all[(next + all.length) % all.length]?.focus();
  };
  return (
    <div className="menu-place" ref={place}>
      <button
        type="button"
        ref={button}
        className="icon-button"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Icon name="more" />
      </button>
      {open && (
        <div
          className="menu"
          role="menu"
          tabIndex={-1}
          aria-label={label}
          onKeyDown={onKey}
          onClick={() => setOpen(false)}
        >
          {children}
        </div>
      )}
    </div>
  );
}

export function MenuItem({
  danger = false,
  children,
  onPick,
}: {
  danger?: boolean;
  children: ReactNode;
  onPick(): void;
}) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={danger ? 'menu-item is-danger' : 'menu-item'}
      onClick={onPick}
    >
      {children}
    </button>
  );
}
