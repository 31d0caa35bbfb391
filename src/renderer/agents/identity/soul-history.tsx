import { useCallback, useEffect, useState } from 'react';
import type { SoulVersion } from '../../../contract/agent-detail-methods.ts';
import type { AppError } from '../../../contract/errors.ts';
import type { AgentSummary } from '../../../contract/model.ts';
import { t } from '../../../language/texts.ts';
import { DiffReview } from '../../parts/diff-review.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { Ago } from '../../parts/time.tsx';
import { useAction } from '../../state/action.ts';
import { showError, showNotice } from '../../state/screen.ts';
import { useReplica } from '../../state/subscriptions.ts';

interface HistoryOf {
  readonly agent: AgentSummary;
  readonly soul: string;
  onRestored(): void;
}

/** Lists previous versions of a soul, newest first; each one can be compared with the current soul and restored. */
export function SoulHistory({ agent, soul, onRestored }: HistoryOf) {
  const { link } = useReplica();
  const [versions, setVersions] = useState<readonly SoulVersion[] | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [looking, setLooking] = useState<{ readonly version: number; readonly soul: string } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another soul makes another history
  useEffect(() => {
    let left = false;
    void link.call('agents.soulHistory', { agent: agent.id }).then((result) => {
      if (left) return;
      if (result.ok) setVersions(result.value.versions);
      setError(result.ok ? null : result.error);
    });
    return () => {
      left = true;
    };
  }, [link, agent.id, soul]);
  const look = useCallback(
    async (version: number): Promise<void> => {
      const result = await link.call('agents.soulVersion', { agent: agent.id, version });
      if (result.ok) setLooking({ version, soul: result.value.soul });
      else showError(result.error);
    },
    [link, agent.id],
  );
  return (
    <details className="card note-history">
      <summary>{t('identity.history')}</summary>
      <ErrorNote error={error} />
      {versions !== null && versions.length < 2 && <p className="soft">{t('identity.noHistory')}</p>}
      <ul aria-label={t('identity.history')}>
        {versions?.map((one) => (
          <Version key={one.version} one={one} onLook={() => void look(one.version)} />
        ))}
      </ul>
      {looking !== null && (
        <BringBack
          agent={agent}
          before={soul}
          after={looking.soul}
          version={looking.version}
          onRestored={onRestored}
          onClose={() => setLooking(null)}
        />
      )}
    </details>
  );
}

function Version({ one, onLook }: { one: SoulVersion; onLook(): void }) {
  return (
    <li>
      <span>
        {t.rich('identity.historyOne', {
          version: one.version,
          time: () => <Ago key="at" at={one.at} />,
        })}{' '}
        <span className="soft">{t('identity.historySize', { count: one.characters })}</span>
      </span>
      {one.current ? (
        <span className="chip">{t('identity.inForce')}</span>
      ) : (
        <button
          type="button"
          className="button is-small"
          aria-label={t('identity.compareOne', { version: one.version })}
          onClick={onLook}
        >
          {t('identity.compare')}
        </button>
      )}
    </li>
  );
}

interface BackOf {
  readonly agent: AgentSummary;
  readonly before: string;
  readonly after: string;
  readonly version: number;
  onRestored(): void;
  onClose(): void;
}

function BringBack({ agent, before, after, version, onRestored, onClose }: BackOf) {
  const edit = useAction('agents.edit');
  const bring = async (): Promise<void> => {
    const result = await edit.run({ agent: agent.id, soul: after });
    if (!result.ok) return;
    showNotice(t('identity.broughtBack', { version }));
    onClose();
    onRestored();
  };
  return (
    <DiffReview
      title={t('identity.bringTitle', { version })}
      verb={t('identity.bringBack')}
      before={before}
      after={after}
      busy={edit.busy}
      error={edit.error}
      onSave={() => void bring()}
      onClose={onClose}
    />
  );
}
