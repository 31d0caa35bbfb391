import type { Licence } from 'virtual:licences';
import { useState } from 'react';
import { t } from '../../language/texts.ts';
import { Field } from '../parts/field.tsx';
import { ScrollRegion } from '../parts/scroll-region.tsx';

/** Licences of all bundled packages; the list is loaded on request. */
export function LicencesCard() {
  const [all, setAll] = useState<readonly Licence[] | null>(null);
  const show = (): void => void import('virtual:licences').then(({ licences }) => setAll(licences));
  return (
    <section className="card stack" aria-labelledby="licences-title">
      <h2 id="licences-title">{t('upkeep.licences')}</h2>
      {all === null ? (
        <div>
          <button type="button" className="button" onClick={show}>
            {t('upkeep.licencesShow')}
          </button>
        </div>
      ) : (
        <List all={all} />
      )}
    </section>
  );
}

function List({ all }: { all: readonly Licence[] }) {
  const [text, setText] = useState('');
  const wanted = text.trim().toLowerCase();
  const found = all.filter(({ name, licence }) => `${name} ${licence}`.toLowerCase().includes(wanted));
  return (
    <>
      <p className="soft">{t('upkeep.licencesText', { n: all.length })}</p>
      <Field
        label={t('upkeep.licencesFind')}
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <ScrollRegion className="licence-list" label={t('upkeep.licencesList')}>
        <ul>
          {found.map((one) => (
            <li key={`${one.name} ${one.version}`}>
              <details>
                <summary>
                  {one.name} {one.version} <span className="soft">{one.licence}</span>
                </summary>
                <pre>{one.text === '' ? t('upkeep.licencesNoText') : one.text}</pre>
              </details>
            </li>
          ))}
        </ul>
      </ScrollRegion>
    </>
  );
}
