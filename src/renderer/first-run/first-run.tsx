import { type FormEvent, useState } from 'react';
import { Mark } from '../mark/mark.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { setSettingUp } from '../state/screen.ts';
import { useHost } from '../state/subscriptions.ts';
import { ConnectForm } from './connect-form.tsx';
import { DemoProgress } from './demo-progress.tsx';

type Choice = 'demo' | 'connect';

const choices: readonly { key: Choice; title: string; text: string }[] = [
  {
    key: 'demo',
    title: 'Try it now',
    text: 'A private chat server on this computer with two practice helpers. No account, no key, no network.',
  },
  {
    key: 'connect',
    title: 'Connect my Puffo space',
    text: 'Join puffo.ai or your team’s own server with an invite code.',
  },
];

/** One question. Enter takes the first answer. Nothing has touched the network yet. */
export function FirstRun() {
  const [choice, setChoice] = useState<Choice>('demo');
  const [step, setStep] = useState<'ask' | 'connect'>('ask');
  const demo = useAction('setup.tryDemo');
  const version = useHost((host) => host?.version ?? '');
  const begin = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (choice === 'connect') return setStep('connect');
    setSettingUp(true);
    const result = await demo.run({});
    if (result.ok) go({ view: 'chat', room: result.value.channelId });
    setSettingUp(false);
  };
  if (step === 'connect') return <ConnectForm onBack={() => setStep('ask')} />;
  if (demo.busy) return <DemoProgress />;
  return (
    <main className="welcome">
      <form className="welcome-card" onSubmit={(event) => void begin(event)}>
        <Mark state="idle" size={64} />
        <h1>Welcome to Kennel</h1>
        <p className="soft">
          Helpers that live on your computer and answer in your team’s chat, end-to-end encrypted.
        </p>
        <fieldset className="choices">
          <legend>How would you like to begin?</legend>
          {choices.map(({ key, title, text }) => (
            <Answer
              key={key}
              title={title}
              text={text}
              checked={choice === key}
              onPick={() => setChoice(key)}
            />
          ))}
        </fieldset>
        <ErrorNote error={demo.error} />
        <button type="submit" className="button is-primary is-wide">
          {choice === 'demo' ? 'Try it now' : 'Continue'}
        </button>
        <p className="fine">Nothing is sent anywhere until you choose. Kennel {version}</p>
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
