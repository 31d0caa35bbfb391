import type { LinkState } from '../client/link.ts';
import { Mark } from '../mark/mark.tsx';

/** Before the first snapshot: usually gone within a blink. */
export function Splash({ state }: { state: LinkState }) {
  return (
    <main className="welcome">
      <div className="welcome-card is-quiet">
        <Mark state={state === 'lost' ? 'offline' : 'working'} size={56} />
        <h1>{state === 'lost' ? 'Kennel is not answering' : 'Opening Kennel'}</h1>
        {state === 'lost' && (
          <p className="soft">
            Nothing is lost; this page goes on trying. A stopped Kennel comes back with{' '}
            <code>kennel start</code>, and <code>kennel open</code> gives a fresh address after a new start.
          </p>
        )}
      </div>
    </main>
  );
}
