import type { ReactNode } from 'react';
import { t } from '../../language/texts.ts';
import { bridgeOf } from '../client/bridge.ts';
import type { LinkState } from '../client/link.ts';
import { HostHere } from '../frame/host-here.tsx';
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
            {bridgeOf(window) === null
              ? t.rich('firstRun.notAnsweringText', { code: (chunks) => <code>{chunks}</code> })
              : t('firstRun.notAnsweringHere')}
          </p>
        )}
        {state === 'lost' && <HostHere />}
        {children}
      </div>
    </main>
  );
}
