import type { KeyboardEvent, ReactNode, Ref } from 'react';

interface RegionOf {
  readonly label: string;
  readonly className: string;
  readonly place?: Ref<HTMLElement>;
  readonly children: ReactNode;
  onScroll?(): void;
  onKeyDown?(event: KeyboardEvent): void;
}

/** Scrollable region with a label, focusable so that the keyboard can scroll it. */
export function ScrollRegion({ label, className, place, children, onScroll, onKeyDown }: RegionOf) {
  return (
    <section
      className={className}
      aria-label={label}
      ref={place}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard could not scroll
      tabIndex={0}
    >
      {children}
    </section>
  );
}
