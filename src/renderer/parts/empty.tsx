import type { ReactNode } from 'react';
import type { Dot } from '../../contract/model.ts';
import { Mark } from '../mark/mark.tsx';

/** The empty-state picture is the mark itself. */
export function Empty({
  state = 'idle',
  title,
  page = false,
  children,
}: {
  state?: Dot;
  title: string;
  /** All there is on the page: its title is the page's. */
  page?: boolean;
  children?: ReactNode;
}) {
  const Heading = page ? 'h1' : 'h2';
  return (
    <div className="empty">
      <Mark state={state} size={56} />
      <Heading>{title}</Heading>
      {children !== undefined && <div className="empty-text">{children}</div>}
    </div>
  );
}
