import { localize, t } from '../../language/texts.ts';
import { PassphraseFields } from '../parts/passphrase-fields.tsx';
import { useHost } from '../state/subscriptions.ts';
import { ChangePassphrase } from './change-passphrase.tsx';

const kinds = {
  keychain: 'vaultKeychain',
  passphrase: 'vaultPassphrase',
  'demo-file': 'vaultDemo',
  none: 'vaultNone',
} as const;

export function VaultCard() {
  const kind = useHost((host) => host?.vault.kind ?? 'none');
  const backend = useHost((host) => host?.vault.backend ?? '');
  const note = useHost((host) => host?.vault.note ?? '');
  return (
    <section className="card stack" aria-labelledby="vault-title">
      <h2 id="vault-title">{t('providers.vault')}</h2>
      <p>{t(`providers.${kinds[kind]}`)}</p>
      {backend !== '' && <p className="soft">{t('providers.vaultBackend', { backend })}</p>}
      {note !== '' && <p className="soft">{localize(note)}</p>}
      {(kind === 'demo-file' || kind === 'none') && (
        <details>
          <summary>{t('providers.usePassphrase')}</summary>
          <PassphraseFields why={t('providers.whyPassphrase')} />
        </details>
      )}
      {kind === 'passphrase' && (
        <details>
          <summary>{t('settings.vaultChange')}</summary>
          <ChangePassphrase of="vault" />
        </details>
      )}
    </section>
  );
}
