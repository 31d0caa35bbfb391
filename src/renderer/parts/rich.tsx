import type { ReactNode } from 'react';

/** Renderers of the tags in localized texts: `<hidden> unread</hidden>`, `<name>{who}</name>`. */
type Drawn = (chunks: ReactNode) => ReactNode;

/** Visible to screen readers only. */
export const hidden: Drawn = (chunks) => <span className="visually-hidden">{chunks}</span>;
export const code: Drawn = (chunks) => <code>{chunks}</code>;
export const strong: Drawn = (chunks) => <strong>{chunks}</strong>;
/** Isolates a name's text direction from its sentence. Pass the name through `visibleLine`. */
export const apart: Drawn = (chunks) => <bdi className="name">{chunks}</bdi>;
export const strongApart: Drawn = (chunks) => (
  <strong>
    <bdi className="name">{chunks}</bdi>
  </strong>
);
