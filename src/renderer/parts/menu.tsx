import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon, type IconName } from '../mark/icon.tsx';
import { showBeside } from './layer.ts';

const entriesOf = (place: HTMLElement | null): HTMLElement[] => [
  ...(place?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
];

interface MenuOf {
  readonly label: string;
  readonly icon?: IconName;
  readonly children: ReactNode;
}

/** A small menu: arrows move, Escape closes and gives the focus back to its button. */
export function Menu({ label, icon = 'more', children }: MenuOf) {
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open || layer.current === null || button.current === null) return;
    showBeside(layer.current, button.current);
    entriesOf(place.current)[0]?.focus();
    const away = (event: Event): void => {
      if (event.target instanceof Node && !place.current?.contains(event.target)) setOpen(false);
    };
    const close = (): void => setOpen(false);
    window.addEventListener('pointerdown', away);
    window.addEventListener('scroll', away, true);
    window.addEventListener('resize', close);
    return () => {
      window.removeEventListener('pointerdown', away);
      window.removeEventListener('scroll', away, true);
      window.removeEventListener('resize', close);
    };
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
    // The list around it walks with the same keys.
    event.stopPropagation();
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
        <Icon name={icon} />
      </button>
      {open && (
        <div
          className="menu"
          role="menu"
          tabIndex={-1}
          ref={layer}
          popover="manual"
          aria-label={label}
          onKeyDown={onKey}
          onClick={() => {
            // A dialog that opens next gives the focus back to what has it now.
            button.current?.focus();
            setOpen(false);
          }}
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
