import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { showBeside } from './layer.ts';

/** A pointer that only passes by opens nothing; one that moves onto the words keeps them. ms. */
const openMs = 250;
const closeMs = 150;

interface TipOf {
  readonly className: string;
  readonly reachable: boolean;
  /** What is pointed at. */
  readonly children: ReactNode;
  /** Said about it; null: there is nothing to say. */
  readonly words: ReactNode;
  onOpen(): void;
}

/** Words that appear beside something while one points at it or has stepped to it; Escape puts them away. */
export function Tip({ className, reachable, children, words, onOpen }: TipOf) {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const layer = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();
  const turn = (to: boolean, afterMs: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (to) onOpen();
      setOpen(to);
    }, afterMs);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words have another size
  useEffect(() => {
    if (open && layer.current !== null && anchor.current !== null)
      showBeside(layer.current, anchor.current, 'start');
  }, [open, words]);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !open) return;
    event.preventDefault();
    setOpen(false);
  };
  return (
    <span
      className="tip-place"
      onPointerEnter={() => turn(true, openMs)}
      onPointerLeave={() => turn(false, closeMs)}
    >
      <button
        type="button"
        data-tip
        ref={anchor}
        className={className}
        tabIndex={reachable ? 0 : -1}
        aria-describedby={open ? id : undefined}
        onFocus={() => turn(true, 0)}
        onBlur={() => turn(false, 0)}
        onClick={() => turn(true, 0)}
        onKeyDown={onKey}
      >
        {children}
      </button>
      {open && (
        <span className="tip" role="tooltip" id={id} ref={layer} popover="manual">
          {words}
        </span>
      )}
    </span>
  );
}
