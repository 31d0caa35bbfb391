import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useRead } from '../state/use-read.ts';

/** The operator's fingerprint, which other people compare to verify their identity. */
export function FingerprintCard() {
  const { value, error } = useRead('devices.fingerprint');
  return (
    <section className="card stack" aria-labelledby="fingerprint-title">
      <h2 id="fingerprint-title">{t('contacts.fingerprint')}</h2>
      <p className="soft">{t('contacts.fingerprintText')}</p>
      <ErrorNote error={error} />
      {value !== null && (
        <p className="address">
          {visibleLine(value.fingerprint)}
          <CopyButton label={t('contacts.copyFingerprint')} text={value.fingerprint} />
        </p>
      )}
    </section>
  );
}
