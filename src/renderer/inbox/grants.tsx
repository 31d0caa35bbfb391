import { useCallback, useEffect, useState } from 'react';
import type { Grant } from '../../contract/consent.ts';
import type { AppError } from '../../contract/errors.ts';
import { ExactText } from '../parts/exact-text.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Ago } from '../parts/time.tsx';
import { act } from '../state/action.ts';
import { say } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { plural } from '../words/amounts.ts';
import { grantScopeWords } from '../words/consent.ts';

/** What may happen without asking because you once said so; each can be taken back. */
export function Grants() {
  const { link } = useReplica();
  const [grants, setGrants] = useState<readonly Grant[] | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(async () => {
    const result = await link.call('grants.list', {});
    if (result.ok) setGrants(result.value.grants);
    setError(result.ok ? null : result.error);
  }, [link]);
  useEffect(() => void load(), [load]);
  const revoke = async (grant: Grant): Promise<void> => {
    if (!(await act(link, 'grants.revoke', { id: grant.id }))) return;
    say(`${grant.agentName} asks again before it does this.`);
    await load();
  };
  return (
    <div className="stack">
      <p className="soft">
        What your agents may do without asking, because you said so. The most dangerous things always ask.
      </p>
      <ErrorNote error={error} />
      {grants?.length === 0 && (
        <p className="card-empty">You have not allowed anything for longer than once.</p>
      )}
      {grants !== null && grants.length > 0 && (
        <ul className="card rows-card" aria-label="Standing permissions">
          {grants.map((grant) => (
            <GrantRow key={grant.id} grant={grant} onRevoke={() => void revoke(grant)} />
          ))}
        </ul>
      )}
    </div>
  );
}

function GrantRow({ grant, onRevoke }: { grant: Grant; onRevoke(): void }) {
  return (
    <li className="grant">
      <div>
        <p>
          <strong>
            <Name>{grant.agentName}</Name>
          </strong>{' '}
          may, {grantScopeWords[grant.scope]}:{' '}
          <code>
            <ExactText text={grant.rule} />
          </code>
        </p>
        <p className="fine">
          Allowed <Ago at={grant.createdAt} />.{' '}
          {grant.lastUsedAt === null ? (
            'Not used yet.'
          ) : (
            <>
              Used {plural(grant.uses, 'time')}, last <Ago at={grant.lastUsedAt} />.
            </>
          )}
        </p>
      </div>
      <button
        type="button"
        className="button is-small"
        aria-label={`Revoke ${grant.rule} of ${grant.agentName}`}
        onClick={onRevoke}
      >
        Revoke
      </button>
    </li>
  );
}
