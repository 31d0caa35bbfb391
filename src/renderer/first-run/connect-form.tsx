import { useState } from 'react';
import { t } from '../../language/texts.ts';
import { PassphraseFields } from '../parts/passphrase-fields.tsx';
import { Segments } from '../parts/segments.tsx';
import { useHost } from '../state/subscriptions.ts';
import { JoinAsDevice } from './join-as-device.tsx';
import { SignUp } from './sign-up.tsx';
import { Unfinished } from './unfinished.tsx';
import { Welcome } from './welcome.tsx';

type Way = 'invite' | 'device';

/**
 * Signs up at a server, or adds this computer to an account as a device. A real identity needs a keychain or
 * a passphrase first.
 */
export function ConnectForm({ link, onBack }: { readonly link: string | undefined; onBack(): void }) {
  const [way, setWay] = useState<Way>('invite');
  const [busy, setBusy] = useState(false);
  const sealed = useHost((host) => host?.vault.kind === 'keychain' || host?.vault.kind === 'passphrase');
  return (
    <Welcome state={busy ? 'working' : 'idle'} title={t('firstRun.connectTitle')} busy={busy}>
      {sealed ? (
        <div className="stack">
          <Unfinished />
          <Segments<Way>
            label={t('firstRun.how')}
            value={way}
            options={[
              ['invite', t('firstRun.byInvite')],
              ['device', t('firstRun.byDevice')],
            ]}
            onChange={setWay}
          />
          {way === 'invite' ? (
            <SignUp key={link} link={link} onBusy={setBusy} />
          ) : (
            <JoinAsDevice onBusy={setBusy} />
          )}
        </div>
      ) : (
        <PassphraseFields why={t('firstRun.whyPassphrase')} />
      )}
      <button type="button" className="button is-plain is-wide" onClick={onBack} disabled={busy}>
        {t('firstRun.back')}
      </button>
    </Welcome>
  );
}
