import type { ReactNode } from 'react';
import { t } from '../../language/texts.ts';
import type { LinkState } from '../client/link.ts';
import { Mark } from '../mark/mark.tsx';

/** Shown until the first snapshot arrives. */
export function Splash({ state, children }: { state: LinkState; children?: ReactNode }) {
  return (
    <main className="welcome">
      <div className="welcome-card is-quiet">
        <Mark state={state === 'lost' ? 'offline' : 'working'} size={56} />
        <h1>{state === 'lost' ? t('firstRun.notAnswering') : t('firstRun.opening')}</h1>
        {state === 'lost' && (
          <p className="soft">
            {t.rich('firstRun.notAnsweringText', { code: (chunks) => <code>{chunks}</code> })}
          </p>
        )}
        {children}
      </div>
    </main>
  );
}
