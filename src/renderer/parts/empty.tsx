import type { ReactNode } from 'react';
import type { Dot } from '../../contract/model.ts';
import { Mark } from '../mark/mark.tsx';

export function Empty({
  state = 'idle',
  title,
  page = false,
  children,
}: {
  state?: Dot;
  title: string;
  /** The empty state is the whole page, so its title is the `h1`. */
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
