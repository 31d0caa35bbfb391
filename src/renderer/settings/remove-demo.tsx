import { useState } from 'react';
import { localize, t } from '../../language/texts.ts';
import { Confirm } from '../parts/dialog.tsx';
import { go } from '../state/route.ts';
import { showError, showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

/** Button that removes the demo after a confirmation. */
export function RemoveDemo() {
  const { link } = useReplica();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setBusy(true);
    const gone = await link.call('setup.removeDemo', {});
    setBusy(false);
    setAsking(false);
    if (!gone.ok) {
      showError(gone.error);
      return;
    }
    showNotice(t('upkeep.demoGone'), 'plain', localize(gone.value.note ?? '') || null);
    go({ view: 'home' });
  };
  return (
    <>
      <button type="button" className="button is-danger-quiet" onClick={() => setAsking(true)}>
        {t('upkeep.demoRemove')}
      </button>
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
    </>
  );
}
