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
            Nothing is lost. This page goes on trying. If Kennel was stopped, run <code>kennel start</code>;
            if it was started anew, run <code>kennel open</code> for a fresh address.
          </p>
        )}
      </div>
    </main>
  );
}
