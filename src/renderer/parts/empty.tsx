import type { ReactNode } from 'react';
import type { Dot } from '../../contract/model.ts';
import { Mark } from '../mark/mark.tsx';

/** The empty-state picture is the mark itself. */
export function Empty({
  state = 'idle',
  title,
  children,
}: {
  state?: Dot;
  title: string;
  children?: ReactNode;
}) {
  return (
    <div className="empty">
      <Mark state={state} size={56} />
      <h2>{title}</h2>
      {children !== undefined && <div className="empty-text">{children}</div>}
    </div>
  );
}
