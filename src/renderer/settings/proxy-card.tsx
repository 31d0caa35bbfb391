import { type FormEvent, useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Ago } from '../parts/time.tsx';
import { act, useAction } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';

interface Token {
  readonly name: string;
  readonly createdAt: number;
}

/** Tokens with which other computers use models through this one without holding an API key. */
export function ProxyCard() {
  const { link } = useReplica();
  const [tokens, setTokens] = useState<readonly Token[]>([]);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(async () => {
    const result = await link.call('proxy.tokens', {});
    if (result.ok) setTokens(result.value.tokens);
    setError(result.ok ? null : result.error);
  }, [link]);
  useEffect(() => void load(), [load]);
  const revoke = async (name: string): Promise<void> => {
    if (await act(link, 'proxy.revoke', { name })) await load();
  };
  return (
    <section className="card stack" aria-labelledby="proxy-title">
      <h2 id="proxy-title">{t('providers.proxy')}</h2>
      <p className="soft">{t('providers.proxyText')}</p>
      <ErrorNote error={error} />
      {tokens.length === 0 && error === null && <p className="soft">{t('providers.noTokens')}</p>}
      <ul className="logins" aria-label={t('providers.tokens')}>
        {tokens.map((token) => (
          <li key={token.name}>
            <p>
              <strong>{visibleLine(token.name)}</strong>{' '}
              <span className="soft">
                {t.rich('providers.since', { when: () => <Ago at={token.createdAt} /> })}
              </span>
            </p>
            <button
              type="button"
              className="button is-small"
              aria-label={t('providers.revokeOf', { name: visibleLine(token.name) })}
              onClick={() => void revoke(token.name)}
            >
              {t('providers.revoke')}
            </button>
          </li>
        ))}
      </ul>
      <NewToken onMade={() => void load()} />
    </section>
  );
}

function NewToken({ onMade }: { onMade(): void }) {
  const make = useAction('proxy.newToken');
  const [name, setName] = useState('');
  const [made, setMade] = useState<{ token: string; url: string } | null>(null);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const result = await make.run({ name: name.trim() });
    if (!result.ok) return;
    setMade(result.value);
    setName('');
    onMade();
  };
  return (
    <>
      {made !== null && (
        <div className="device-code" role="status">
          <p>{t('providers.putBoth')}</p>
          {[made.url, made.token].map((text) => (
            <p key={text}>
              <code>{text}</code>
              <CopyButton
                label={t(text === made.token ? 'providers.copyToken' : 'providers.copyAddress')}
                text={text}
              />
            </p>
          ))}
        </div>
      )}
      <form className="one-line" onSubmit={(event) => void submit(event)}>
        <Field
          label={t('providers.otherName')}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" className="button" disabled={name.trim() === '' || make.busy}>
          {t('providers.makeToken')}
        </button>
      </form>
      <ErrorNote error={make.error} />
    </>
  );
}
