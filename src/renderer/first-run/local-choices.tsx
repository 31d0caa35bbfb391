import { type FormEvent, useId, useState } from 'react';
import type { LocalFind } from '../../contract/home-methods.ts';
import { localize, t } from '../../language/texts.ts';
import { providerName } from '../agents/providers.ts';
import { ChoiceField } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import { go } from '../state/route.ts';
import { say } from '../state/screen.ts';
import { visibleLine } from '../words/visible-text.ts';
import { OwnLogin } from './own-login.tsx';

interface ChoicesOf {
  readonly found: readonly LocalFind[];
  readonly agent: string;
  readonly name: string;
  onDone(): void;
}

/** Lets the user choose one of the models found on this computer, then tests it with a first question. */
export function LocalChoices({ found, agent, name, onDone }: ChoicesOf) {
  const [logins, setLogins] = useState<readonly string[]>([]);
  const choices = found.map((one) =>
    one.kind === 'login' && logins.includes(one.provider) ? { ...one, usable: true } : one,
  );
  const usable = choices.filter((one) => one.usable);
  const [chosen, setChosen] = useState(usable[0] ?? null);
  const [model, setModel] = useState(chosen?.models[0] ?? '');
  const use = useAction('setup.useLocal');
  const send = useAction('chat.send');
  const choose = (one: LocalFind): void => {
    setChosen(one);
    setModel(one.models[0] ?? '');
  };
  const loggedIn = (one: LocalFind): void => {
    setLogins([...logins, one.provider]);
    choose({ ...one, usable: true });
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (chosen === null) return;
    const done = await use.run({ agent, provider: chosen.provider, model });
    const sent = done.ok ? await send.run({ to: agent, text: t('firstRun.testQuestion') }) : done;
    if (!done.ok || !sent.ok) return;
    const shown = visibleLine(model || providerName(chosen.provider));
    say(t('firstRun.nowReal', { name, model: shown }), 'plain', localize(done.value.warning) || null);
    go({ view: 'chat', room: sent.value.roomId });
    onDone();
  };
  const busy = use.busy || send.busy;
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <fieldset className="choices">
        <legend>{t('firstRun.choices')}</legend>
        {choices.map((one) => (
          <Found
            key={`${one.kind} ${one.where}`}
            one={one}
            name={name}
            checked={one.kind === chosen?.kind && one.where === chosen.where}
            onPick={() => choose(one)}
            onLoggedIn={() => loggedIn(one)}
            onLeave={onDone}
          />
        ))}
      </fieldset>
      {chosen !== null && chosen.models.length > 1 && (
        <ChoiceField
          label={t('firstRun.model')}
          value={model}
          options={chosen.models.map((one) => [one, visibleLine(one)] as const)}
          onChange={setModel}
        />
      )}
      <ErrorNote error={use.error ?? send.error} />
      {chosen !== null && (
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onDone}>
            {t('firstRun.notNow')}
          </button>
          <button type="submit" className="button is-primary" disabled={busy}>
            {busy ? t('firstRun.using') : t('firstRun.use')}
          </button>
        </footer>
      )}
    </form>
  );
}

interface FoundOf {
  readonly one: LocalFind;
  readonly name: string;
  readonly checked: boolean;
  onPick(): void;
  onLoggedIn(): void;
  onLeave(): void;
}

const titles = {
  environment: 'firstRun.fromEnvironment',
  server: 'firstRun.fromServer',
  login: 'firstRun.fromLogin',
} as const;

function meaning({ kind, provider, usable }: LocalFind, name: string): string {
  if (kind === 'login')
    return usable
      ? t('firstRun.environmentMeans', { name, provider: providerName(provider) })
      : t('firstRun.loginMeans');
  if (kind === 'environment')
    return t('firstRun.environmentMeans', { name, provider: providerName(provider) });
  return usable ? t('firstRun.serverMeans') : t('firstRun.serverEmpty');
}

const shortNames: Readonly<Record<string, string>> = { ollama: 'Ollama', lmstudio: 'LM Studio' };

function Found({ one, name, checked, onPick, onLoggedIn, onLeave }: FoundOf) {
  const id = useId();
  const provider = shortNames[one.provider] ?? providerName(one.provider);
  const title =
    one.kind === 'login' && one.usable
      ? t('firstRun.ownLogin', { provider })
      : t(titles[one.kind], { provider, where: visibleLine(one.where) });
  const words = (
    <span className="choice-words">
      <strong>{title}</strong>
      <span id={id}>{meaning(one, name)}</span>
    </span>
  );
  if (one.usable)
    return (
      <label className="choice">
        <input type="radio" name="local" checked={checked} aria-describedby={id} onChange={onPick} />
        {words}
      </label>
    );
  return (
    <div className="choice is-only-told">
      <span />
      <div>
        {words}
        {one.kind === 'login' && <OwnLogin provider={one.provider} onDone={onLoggedIn} onLeave={onLeave} />}
      </div>
    </div>
  );
}
