import { type FormEvent, useEffect, useState } from 'react';
import { t } from '../../language/texts.ts';
import { Mark } from '../mark/mark.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useSpaceDialog } from '../spaces/open-dialog.ts';
import { useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { setSettingUp } from '../state/screen.ts';
import { useHost } from '../state/subscriptions.ts';
import { ConnectForm } from './connect-form.tsx';
import { DemoProgress } from './demo-progress.tsx';
import { ImportStep } from './import-step.tsx';

const choices = ['demo', 'connect', 'import'] as const;
type Choice = (typeof choices)[number];

/** First page: one choice, confirmed by Enter. Kennel makes no network request before the user has chosen. */
export function FirstRun() {
  const [choice, setChoice] = useState<Choice>('demo');
  const [step, setStep] = useState<'ask' | 'connect' | 'import'>('ask');
  const link = useSpaceDialog(({ dialog }) => (dialog?.type === 'join' ? dialog.link : undefined));
  // An invite link that another program opened leads to the form that it fills.
  useEffect(() => {
    if (link !== undefined) setStep('connect');
  }, [link]);
  const demo = useAction('setup.tryDemo');
  const version = useHost((host) => host?.version ?? '');
  const begin = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (choice !== 'demo') return setStep(choice);
    setSettingUp(true);
    const result = await demo.run({});
    if (result.ok) go({ view: 'chat', room: result.value.channelId });
    setSettingUp(false);
  };
  if (step === 'connect') return <ConnectForm link={link} onBack={() => setStep('ask')} />;
  if (step === 'import') return <ImportStep onBack={() => setStep('ask')} />;
  if (demo.busy) return <DemoProgress />;
  return (
    <main className="welcome">
      <form className="welcome-card" onSubmit={(event) => void begin(event)}>
        <Mark state="idle" size={64} />
        <h1>{t('firstRun.welcome')}</h1>
        <p className="soft">{t('firstRun.promise')}</p>
        <fieldset className="choices">
          <legend>{t('firstRun.question')}</legend>
          {choices.map((key) => (
            <Answer
              key={key}
              title={t(`firstRun.${key}`)}
              text={t(`firstRun.${key}Text`)}
              checked={choice === key}
              onPick={() => setChoice(key)}
            />
          ))}
        </fieldset>
        <ErrorNote error={demo.error} />
        <button type="submit" className="button is-primary is-wide">
          {choice === 'demo' ? t('firstRun.demo') : t('firstRun.continue')}
        </button>
        <p className="fine">{t('firstRun.nothingSent', { version })}</p>
      </form>
    </main>
  );
}

interface AnswerOf {
  readonly title: string;
  readonly text: string;
  readonly checked: boolean;
  onPick(): void;
}

function Answer({ title, text, checked, onPick }: AnswerOf) {
  return (
    <label className="choice">
      <input
        type="radio"
        name="begin"
        checked={checked}
        // The one question of the screen: Enter must answer it at once.
        // biome-ignore lint/a11y/noAutofocus: see above
        autoFocus={checked}
        onChange={onPick}
      />
      <span className="choice-words">
        <strong>{title}</strong>
        <span>{text}</span>
      </span>
    </label>
  );
}
