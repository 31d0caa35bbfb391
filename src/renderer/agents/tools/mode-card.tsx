import type { PolicyMode } from '../../../contract/consent.ts';
import { t } from '../../../language/texts.ts';
import { ChoiceField } from '../../parts/field.tsx';
import { RadioField } from '../../parts/radio-field.tsx';
import type { ToolsPart } from './tools-view.ts';

const modes = () =>
  [
    ['ask', t('tools.ask'), t('tools.askMeans')],
    ['trusted_folders', t('tools.trustedFolders'), t('tools.trustedFoldersMeans')],
    ['unattended', t('tools.unattended'), t('tools.unattendedMeans')],
  ] as const satisfies (readonly [PolicyMode, string, string])[];

const arrivals = () =>
  [
    ['steer', t('tools.steer'), t('tools.steerMeans')],
    ['follow_up', t('tools.followUp'), t('tools.followUpMeans')],
  ] as const;

const levels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

function levelOptions(now: string): readonly (readonly [string, string])[] {
  const known = levels.map((level) => [level, t(`tools.${level}`)] as const);
  return levels.some((level) => level === now) ? known : [...known, [now, now || t('tools.asModel')]];
}

/** Policy mode and working options of the agent; each change is saved at once. */
export function ModeCard({ view, save }: ToolsPart) {
  return (
    <section className="card stack" aria-labelledby="mode-title">
      <h2 id="mode-title">{t('tools.trust')}</h2>
      <RadioField
        label={t('tools.mode')}
        value={view.mode}
        options={modes()}
        onChange={(mode) => void save({ mode })}
        hint={t('tools.modeHint')}
      />
      <RadioField
        label={t('tools.arrival')}
        value={view.arrival}
        options={arrivals()}
        onChange={(arrival) => void save({ arrival })}
      />
      <ChoiceField
        label={t('tools.thinking')}
        value={view.thinking}
        options={levelOptions(view.thinking)}
        onChange={(thinking) => void save({ thinking })}
        hint={t('tools.thinkingHint')}
      />
      <p className="field-hint">{t('tools.atOnce')}</p>
    </section>
  );
}
