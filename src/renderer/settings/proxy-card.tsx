import { type FormEvent, useCallback, useEffect, useState } from 'react';
import type { AppError } from '../../contract/errors.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Ago } from '../parts/time.tsx';
import { act, useAction } from '../state/action.ts';
import { useReplica } from '../state/subscriptions.ts';
import { visibleLine } from '../words/visible-text.ts';

interface Token {
  readonly name: string;
  readonly createdAt: number;
}

/** Other computers that may think through this one without holding a key. */
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
      <h2 id="proxy-title">Thinking for other computers</h2>
      <p className="soft">
        A Kennel with one of these tokens can use the models that are set up here. It never sees your keys,
        and what it uses counts here.
      </p>
      <ErrorNote error={error} />
      <ul className="logins" aria-label="Tokens">
        {tokens.map((token) => (
          <li key={token.name}>
            <p>
              <strong>{visibleLine(token.name)}</strong>{' '}
              <span className="soft">
                since <Ago at={token.createdAt} />
              </span>
            </p>
            <button type="button" className="button is-small" onClick={() => void revoke(token.name)}>
              Revoke<span className="visually-hidden"> {token.name}</span>
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
          <p>Put both into the other Kennel now. The token is not shown again.</p>
          {[made.url, made.token].map((text) => (
            <p key={text}>
              <code>{text}</code>
              <CopyButton label={text === made.token ? 'Copy the token' : 'Copy the address'} text={text} />
            </p>
          ))}
        </div>
      )}
      <form className="one-line" onSubmit={(event) => void submit(event)}>
        <Field
          label="Name of the other computer"
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" className="button" disabled={name.trim() === '' || make.busy}>
          Make a token
        </button>
      </form>
      <ErrorNote error={make.error} />
    </>
  );
}
