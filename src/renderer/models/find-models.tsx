import { useId, useState } from 'react';
import type { LocalFind } from '../../contract/home-methods.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ErrorNote } from '../parts/notes.tsx';
import { useAction } from '../state/action.ts';
import type { ModelForm } from './model-form.ts';
import { OwnLogin } from './own-login.tsx';
import { providerName, shortProviderName } from './providers.ts';

interface FindOf {
  readonly form: ModelForm;
  readonly open: boolean;
  onPick(provider: string, model: string): void;
}

/** Models that this computer already has. The search starts only after the operator agreed to it. */
export function FindModels({ form, open, onPick }: FindOf) {
  const find = useAction('setup.findLocal');
  const [found, setFound] = useState<readonly LocalFind[] | null>(null);
  const look = async (): Promise<void> => {
    const result = await find.run({});
    if (!result.ok) return;
    setFound(result.value.found);
    const first = result.value.found.find((one) => one.usable);
    if (first !== undefined && form.apiKey === '') onPick(first.provider, first.models[0] ?? '');
  };
  const loggedIn = (one: LocalFind): void => {
    setFound((old) => (old ?? []).map((each) => (each === one ? { ...one, usable: true } : each)));
    onPick(one.provider, one.models[0] ?? '');
  };
  return (
    <details className="more-fields" open={open}>
      <summary>{t('runtime.find')}</summary>
      {found === null && <p className="soft">{t('firstRun.realLook')}</p>}
      {found !== null && !found.some((one) => one.usable) && (
        <p role="status">
          <strong>{t('firstRun.nothingFound')}</strong> {t('firstRun.nothingFoundText')}
        </p>
      )}
      {found !== null && found.length > 0 && (
        <fieldset className="choices">
          <legend>{t('firstRun.choices')}</legend>
          {found.map((one) => (
            <Found
              key={`${one.kind} ${one.provider} ${one.where}`}
              one={one}
              checked={one.provider === form.provider}
              onPick={() => onPick(one.provider, one.models[0] ?? '')}
              onKey={() => onPick(one.provider, '')}
              onLoggedIn={() => loggedIn(one)}
            />
          ))}
        </fieldset>
      )}
      <ErrorNote error={find.error} />
      <button type="button" className="button" disabled={find.busy} onClick={() => void look()}>
        {find.busy ? t('firstRun.looking') : t(found === null ? 'firstRun.look' : 'firstRun.lookAgain')}
      </button>
    </details>
  );
}

interface FoundOf {
  readonly one: LocalFind;
  readonly checked: boolean;
  onPick(): void;
  onKey(): void;
  onLoggedIn(): void;
}

const titles = {
  stored: 'firstRun.fromStore',
  environment: 'firstRun.fromEnvironment',
  server: 'firstRun.fromServer',
  login: 'firstRun.fromLogin',
} as const;

function meaning({ kind, provider, usable }: LocalFind): string {
  if (kind === 'login' && !usable) return t('firstRun.loginMeans');
  if (kind === 'server') return usable ? t('firstRun.serverMeans') : t('firstRun.serverEmpty');
  return t('firstRun.environmentMeans', { provider: providerName(provider) });
}

function Found({ one, checked, onPick, onKey, onLoggedIn }: FoundOf) {
  const id = useId();
  const provider = shortProviderName(one.provider);
  const title =
    one.kind === 'login' && one.usable
      ? t('firstRun.ownLogin', { provider })
      : t(titles[one.kind], { provider, where: visibleLine(one.where) });
  const words = (
    <span className="choice-words">
      <strong>{title}</strong>
      <span id={id}>{meaning(one)}</span>
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
        {one.kind === 'login' && <OwnLogin provider={one.provider} onDone={onLoggedIn} onKey={onKey} />}
      </div>
    </div>
  );
}
