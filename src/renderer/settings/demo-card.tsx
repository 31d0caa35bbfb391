import { useState } from 'react';
import { Confirm } from '../parts/dialog.tsx';
import { go } from '../state/route.ts';
import { say, sayError } from '../state/screen.ts';
import { useHost, useReplica } from '../state/subscriptions.ts';

/** One button takes away everything the demo made. */
export function DemoCard() {
  const demo = useHost((host) => host?.demo ?? false);
  const { link } = useReplica();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  if (!demo) return null;
  const remove = async (): Promise<void> => {
    setBusy(true);
    const gone = await link.call('setup.removeDemo', {});
    setBusy(false);
    setAsking(false);
    if (!gone.ok) {
      sayError(gone.error);
      return;
    }
    say('The demo is gone.', 'plain', gone.value.note ?? null);
    go({ view: 'home' });
  };
  return (
    <section className="card stack" aria-labelledby="demo-title">
      <h2 id="demo-title">Demo</h2>
      <p>You are trying Kennel with a chat server of its own on this computer.</p>
      <div>
        <button type="button" className="button is-danger-quiet" onClick={() => setAsking(true)}>
          Remove demo…
        </button>
      </div>
      {asking && (
        <Confirm
          title="Remove the demo?"
          verb="Remove demo"
          danger
          busy={busy}
          onConfirm={() => void remove()}
          onClose={() => setAsking(false)}
        >
          <p>
            The server, its rooms and messages, your demo identity and the demo’s agents are deleted for good.
          </p>
        </Confirm>
      )}
    </section>
  );
}
