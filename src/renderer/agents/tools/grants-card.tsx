import { t } from '../../../language/texts.ts';
import { GrantListRow, useGrants } from '../../inbox/grants.tsx';
import { ErrorNote } from '../../parts/notes.tsx';

/** Lists the agent's standing grants, except those for sharing. */
export function GrantsCard({ agent }: { agent: string }) {
  const { grants, error, revoke } = useGrants(agent);
  const own = (grants ?? []).filter((grant) => grant.tool !== 'share' && grant.agentId === agent);
  return (
    <section className="card stack" aria-labelledby="grants-title">
      <h2 id="grants-title">{t('tools.standing')}</h2>
      <ErrorNote error={error} />
      {grants !== null && own.length === 0 && <p className="soft">{t('tools.noStanding')}</p>}
      {own.length > 0 && (
        <ul className="rows-card" aria-labelledby="grants-title">
          {own.map((grant) => (
            <GrantListRow key={grant.id} grant={grant} onRevoke={() => revoke(grant)} />
          ))}
        </ul>
      )}
    </section>
  );
}
