import type { ReactNode, Ref } from 'react';

interface RegionOf {
  readonly label: string;
  readonly className: string;
  readonly place?: Ref<HTMLElement>;
  readonly children: ReactNode;
  onScroll?(): void;
}

/** Scrollable region with a label, focusable so that the keyboard can scroll it. */
export function ScrollRegion({ label, className, place, children, onScroll }: RegionOf) {
  return (
    <section
      className={className}
      aria-label={label}
      ref={place}
      onScroll={onScroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard could not scroll
      tabIndex={0}
    >
      {children}
    </section>
  );
}
