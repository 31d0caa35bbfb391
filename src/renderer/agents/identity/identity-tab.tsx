import type { AgentSummary } from '../../../contract/model.ts';
import { t } from '../../../language/texts.ts';
import { Icon } from '../../mark/icon.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { Name } from '../../parts/name.tsx';
import { RoleChip } from '../../parts/role-chip.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { AgentAvatar } from '../agent-avatar.tsx';
import type { Detail } from '../agent-detail.ts';
import { openDraft, useIdentityDraft } from './identity-draft.ts';
import { IdentityEditor } from './identity-editor.tsx';
import { SoulHistory } from './soul-history.tsx';
import { SyncNote } from './sync-note.tsx';

/** Shows the agent's identity read-only until the operator opens the editor. */
export function IdentityTab({ agent, detail: { detail, reload } }: { agent: AgentSummary; detail: Detail }) {
  const draft = useIdentityDraft(agent);
  if (detail === null) return <Skeleton words={t('agents.reading')} shape="text" count={8} card />;
  return (
    <div className="stack">
      <SyncNote agent={agent} />
      {draft === null ? (
        <Shown agent={agent} soul={detail.soul} version={detail.versions.profile} />
      ) : (
        <IdentityEditor agent={agent} soul={detail.soul} draft={draft} onSaved={reload} />
      )}
      {draft === null && <SoulHistory agent={agent} soul={detail.soul} onRestored={reload} />}
    </div>
  );
}

function Shown({ agent, soul, version }: { agent: AgentSummary; soul: string; version: string }) {
  return (
    <section className="card soul" aria-labelledby="identity-title">
      <header className="card-head identity-head">
        <AgentAvatar agent={agent} />
        <div className="identity-words">
          <h2 id="identity-title">
            <Name>{agent.displayName}</Name> <RoleChip agent={agent} />
          </h2>
          <p className={agent.role === '' ? 'soft' : 'role'}>
            {agent.role === '' ? t('identity.noRole') : <Name>{agent.role}</Name>}
          </p>
        </div>
        <button
          type="button"
          className="button is-small"
          aria-label={t('identity.edit')}
          onClick={() => openDraft(agent, soul, version)}
        >
          <Icon name="pencil" size={16} /> {t('identity.edit')}
        </button>
      </header>
      <h3>{t('identity.soul')}</h3>
      {soul.trim() === '' ? (
        <p className="soft">{t('identity.noSoul')}</p>
      ) : (
        <div className="prose">
          <Markdown text={soul} />
        </div>
      )}
    </section>
  );
}
