import { useCallback, useEffect, useState } from 'react';
import type { Grant } from '../../contract/consent.ts';
import type { AppError } from '../../contract/errors.ts';
import { localize, t } from '../../language/texts.ts';
import { ExactText } from '../parts/exact-text.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Ago } from '../parts/time.tsx';
import { act } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';
import { grantScopeWords } from '../words/consent.ts';
import { visibleLine } from '../words/visible-text.ts';

/** Standing grants that allow actions without an approval; each can be revoked. */
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
    showNotice(t('inbox.revoked', { name: visibleLine(grant.agentName) }));
    await load();
  };
  return (
    <div className="stack">
      <p className="soft">{t('inbox.grantsAbout')}</p>
      <ErrorNote error={error} />
      {grants === null && error === null && <Skeleton words={t('inbox.reading')} shape="rows" card />}
      {grants?.length === 0 && <p className="card-empty">{t('inbox.grantsEmpty')}</p>}
      {grants !== null && grants.length > 0 && (
        <ul className="card rows-card" aria-label={t('inbox.grants')}>
          {grants.map((grant) => (
            <GrantRow key={grant.id} grant={grant} onRevoke={() => void revoke(grant)} />
          ))}
        </ul>
      )}
    </div>
  );
}

function GrantRow({ grant, onRevoke }: { grant: Grant; onRevoke(): void }) {
  const { lastUsedAt } = grant;
  return (
    <li className="grant">
      <div>
        <p>
          {t.rich('inbox.may', {
            scope: grantScopeWords(grant.scope),
            who: () => (
              <strong>
                <Name>{grant.agentName}</Name>
              </strong>
            ),
            rule: () => (
              <code>
                <ExactText text={localize(grant.rule)} />
              </code>
            ),
          })}
        </p>
        <p className="fine">
          {t.rich('inbox.grantedAt', { when: () => <Ago at={grant.createdAt} /> })}{' '}
          {lastUsedAt === null
            ? t('inbox.notUsed')
            : t.rich('inbox.used', { n: grant.uses, when: () => <Ago at={lastUsedAt} /> })}
        </p>
      </div>
      <button
        type="button"
        className="button is-small"
        aria-label={t('inbox.revokeOf', {
          rule: visibleLine(localize(grant.rule)),
          name: visibleLine(grant.agentName),
        })}
        onClick={onRevoke}
      >
        {t('inbox.revoke')}
      </button>
    </li>
  );
}
