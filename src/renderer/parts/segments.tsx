import { type KeyboardEvent, useRef } from 'react';

interface SegmentsOf<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  onChange(value: T): void;
}

/** Segmented control with the keyboard behaviour of a radio group. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsOf<T>) {
  const group = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = options.findIndex(([key]) => key === value);
    const next = options[(at + step + options.length) % options.length];
    if (next === undefined) return;
    onChange(next[0]);
    const buttons = group.current?.querySelectorAll('button');
    buttons?.[options.indexOf(next)]?.focus();
  };
  return (
    <div className="segments" role="radiogroup" aria-label={label} ref={group}>
      {options.map(([key, words]) => (
        // A native radio cannot be drawn as a segment without hiding it from pointer and focus ring.
        // biome-ignore lint/a11y/useSemanticElements: see above
        <button
          key={key}
          type="button"
          role="radio"
          aria-checked={key === value}
          tabIndex={key === value ? 0 : -1}
          onClick={() => onChange(key)}
          onKeyDown={move}
        >
          {words}
        </button>
      ))}
    </div>
  );
}
