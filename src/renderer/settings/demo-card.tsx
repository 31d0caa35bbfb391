import { useState } from 'react';
import { localize, t } from '../../language/texts.ts';
import { Confirm } from '../parts/dialog.tsx';
import { go } from '../state/route.ts';
import { say, sayError } from '../state/screen.ts';
import { useHost, useReplica } from '../state/subscriptions.ts';

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
    say(t('upkeep.demoGone'), 'plain', localize(gone.value.note ?? '') || null);
    go({ view: 'home' });
  };
  return (
    <section className="card stack" aria-labelledby="demo-title">
      <h2 id="demo-title">{t('upkeep.demo')}</h2>
      <p>{t('upkeep.demoText')}</p>
      <div>
        <button type="button" className="button is-danger-quiet" onClick={() => setAsking(true)}>
          {t('upkeep.demoRemove')}
        </button>
      </div>
      {asking && (
        <Confirm
          title={t('upkeep.demoTitle')}
          verb={t('upkeep.demoVerb')}
          danger
          busy={busy}
          onConfirm={() => void remove()}
          onClose={() => setAsking(false)}
        >
          <p>{t('upkeep.demoWarning')}</p>
        </Confirm>
      )}
    </section>
  );
}
