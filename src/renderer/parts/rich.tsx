import type { ReactNode } from 'react';

/** How the marks in a text are drawn: `<hidden> unread</hidden>`, `<name>{who}</name>`. */
type Drawn = (chunks: ReactNode) => ReactNode;

/** Only read aloud. */
export const hidden: Drawn = (chunks) => <span className="visually-hidden">{chunks}</span>;
export const code: Drawn = (chunks) => <code>{chunks}</code>;
export const strong: Drawn = (chunks) => <strong>{chunks}</strong>;
/** A name inside a sentence stands apart, so that its direction cannot turn the sentence around; show it as `visibleLine`. */
export const apart: Drawn = (chunks) => <bdi className="name">{chunks}</bdi>;
export const strongApart: Drawn = (chunks) => (
  <strong>
    <bdi className="name">{chunks}</bdi>
  </strong>
);
