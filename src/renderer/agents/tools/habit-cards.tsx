/** Settings of `agents.tools` that are no permissions: how the agent takes messages, and how long it thinks. */
import { t } from '../../../language/texts.ts';
import { ChoiceField } from '../../parts/field.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { RadioField } from '../../parts/radio-field.tsx';
import { useTools } from './use-tools.ts';

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

export function ArrivalCard({ agent }: { agent: string }) {
  const { view, error, save } = useTools(agent);
  if (view === null) return <ErrorNote error={error} />;
  return (
    <div className="card stack one-form">
      <ErrorNote error={error} />
      <RadioField
        label={t('tools.arrival')}
        value={view.arrival}
        options={arrivals()}
        onChange={(arrival) => void save({ arrival })}
        hint={view.canSteer ? t('tools.atOnce') : t('tools.cannotSteer')}
      />
    </div>
  );
}

export function ThinkingCard({ agent }: { agent: string }) {
  const { view, error, save } = useTools(agent);
  if (view === null) return <ErrorNote error={error} />;
  return (
    <div className="card stack one-form">
      <ErrorNote error={error} />
      <ChoiceField
        label={t('tools.thinking')}
        value={view.thinking}
        options={levelOptions(view.thinking)}
        onChange={(thinking) => void save({ thinking })}
        hint={t('tools.thinkingHint')}
      />
      <p className="field-hint">{t('tools.atOnce')}</p>
    </div>
  );
}
