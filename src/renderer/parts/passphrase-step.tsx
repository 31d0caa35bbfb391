import { t } from '../../language/texts.ts';
import { PassphraseFields } from './passphrase-fields.tsx';

/** Asks for a passphrase in the middle of a form, because a secret in it cannot be stored safely yet. */
export function PassphraseStep({ onDone }: { onDone(): void }) {
  return (
    <section className="card stack" aria-label={t('parts.passphraseTitle')}>
      <h3>{t('parts.passphraseTitle')}</h3>
      <PassphraseFields why={t('parts.passphraseWhy')} onDone={onDone} />
    </section>
  );
}
