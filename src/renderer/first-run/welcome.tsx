import type { ReactNode } from 'react';
import type { Dot } from '../../contract/model.ts';
import { Mark } from '../mark/mark.tsx';

interface WelcomeOf {
  readonly state: Dot;
  readonly title: string;
  readonly busy?: boolean;
  readonly children: ReactNode;
}

/** Layout of the pages before the frame: a single card. */
export function Welcome({ state, title, busy = false, children }: WelcomeOf) {
  return (
    <main className="welcome">
      <div className="welcome-card" aria-busy={busy}>
        <Mark state={state} size={56} />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
