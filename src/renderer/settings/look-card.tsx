import type { ReactNode } from 'react';
import { languages } from '../../language/choose-language.ts';
import { t } from '../../language/texts.ts';
import { Segments } from '../parts/segments.tsx';
import {
  densities,
  type LanguageChoice,
  languageChoices,
  setPreferences,
  themes,
  usePreferences,
} from '../state/preferences.ts';

/** Shows each language under its own name. */
const languageWords = (choice: LanguageChoice): string =>
  choice === 'system' ? t('look.systemLanguage') : languages[choice];

export function LookCard() {
  const { theme, density, language } = usePreferences();
  return (
    <section className="card stack" aria-labelledby="look-title">
      <h2 id="look-title">{t('look.title')}</h2>
      <Setting label={t('look.theme')}>
        <Segments
          label={t('look.theme')}
          value={theme}
          options={themes.map((one) => [one, t(`look.${one}`)] as const)}
          onChange={(next) => setPreferences({ theme: next })}
        />
      </Setting>
      <Setting label={t('look.spacing')}>
        <Segments
          label={t('look.spacing')}
          value={density}
          options={densities.map((one) => [one, t(`look.${one}`)] as const)}
          onChange={(next) => setPreferences({ density: next })}
        />
      </Setting>
      <Setting label={t('look.language')}>
        <Segments
          label={t('look.language')}
          value={language}
          options={languageChoices.map((one) => [one, languageWords(one)] as const)}
          onChange={(next) => setPreferences({ language: next })}
        />
      </Setting>
    </section>
  );
}

function Setting({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="setting">
      <span>{label}</span>
      {children}
    </div>
  );
}
