import { useCallback, useEffect, useState } from 'react';
import type { Grant } from '../../contract/approvals.ts';
import type { AppError } from '../../contract/errors.ts';
import { localize, t } from '../../language/texts.ts';
import { useRuleText } from '../format/rule-text.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ExactText } from '../parts/exact-text.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Ago } from '../parts/time.tsx';
import { act } from '../state/action.ts';
import { showNotice } from '../state/screen.ts';
import { useReplica } from '../state/subscriptions.ts';

interface StandingGrants {
  /** `null` while they load. */
  readonly grants: readonly Grant[] | null;
  readonly error: AppError | null;
  revoke(grant: Grant): void;
}

/** Standing grants of one agent, or of all. */
export function useGrants(agent?: string): StandingGrants {
  const { link } = useReplica();
  const [grants, setGrants] = useState<readonly Grant[] | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(async () => {
    const result = await link.call('grants.list', agent === undefined ? {} : { agent });
    if (result.ok) setGrants(result.value.grants);
    setError(result.ok ? null : result.error);
  }, [link, agent]);
  useEffect(() => void load(), [load]);
  const revoke = async (grant: Grant): Promise<void> => {
    if (!(await act(link, 'grants.revoke', { id: grant.id }))) return;
    showNotice(t('inbox.revoked', { name: visibleLine(grant.agentName) }));
    await load();
  };
  return { grants, error, revoke: (grant) => void revoke(grant) };
}

/** Standing grants that allow actions without an approval; each can be revoked. */
export function Grants() {
  const { grants, error, revoke } = useGrants();
  return (
    <div className="stack">
      <p className="soft">{t('inbox.grantsAbout')}</p>
      <ErrorNote error={error} />
      {grants === null && error === null && <Skeleton words={t('inbox.reading')} shape="rows" card />}
      {grants?.length === 0 && <p className="card-empty">{t('inbox.grantsEmpty')}</p>}
      {grants !== null && grants.length > 0 && (
        <ul className="card rows-card" aria-label={t('inbox.grants')}>
          {grants.map((grant) => (
            <GrantListRow key={grant.id} grant={grant} named onRevoke={() => revoke(grant)} />
          ))}
        </ul>
      )}
    </div>
  );
}

interface RowOf {
  readonly grant: Grant;
  /** Names the agent. */
  readonly named?: boolean;
  onRevoke(): void;
}

export function GrantListRow({ grant, named = false, onRevoke }: RowOf) {
  const { lastUsedAt } = grant;
  const { covers, exact } = useRuleText(grant.scope, grant.rule);
  return (
    <li className="grant">
      <div>
        <p>
          {named && (
            <strong>
              <Name>{grant.agentName}</Name>
            </strong>
          )}{' '}
          <ExactText text={covers} />
        </p>
        {exact !== null && (
          <p className="fine">
            <code>
              <ExactText text={exact} />
            </code>
          </p>
        )}
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
