import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

interface TabsOf<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly tabs: readonly (readonly [T, string])[];
  readonly children: ReactNode;
  onChange(value: T): void;
}

export function Tabs<T extends string>({ label, value, tabs, children, onChange }: TabsOf<T>) {
  const id = useId();
  const strip = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tabs[(tabs.findIndex(([key]) => key === value) + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChange(next[0]);
    strip.current?.querySelectorAll('button')[tabs.indexOf(next)]?.focus();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={strip}>
        {tabs.map(([key, words]) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === value}
            aria-controls={`${id}-panel`}
            tabIndex={key === value ? 0 : -1}
            onClick={() => onChange(key)}
            onKeyDown={move}
          >
            {words}
          </button>
        ))}
      </div>
      <div className="tab-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  );
}
