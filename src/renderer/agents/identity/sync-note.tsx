import { useCallback, useEffect, useState } from 'react';
import type { MethodOutput } from '../../../contract/methods.ts';
import type { AgentSummary } from '../../../contract/model.ts';
import { locale, localize, localizeError, t } from '../../../language/texts.ts';
import { Note } from '../../parts/notes.tsx';
import { useAction } from '../../state/action.ts';
import { showNotice } from '../../state/screen.ts';
import { useHost, useReplica } from '../../state/subscriptions.ts';

type Unsynced = MethodOutput<'agents.unsynced'>;

const fieldWords = {
  displayName: 'identity.fieldName',
  role: 'identity.fieldRole',
  roleShort: 'identity.fieldShort',
  picture: 'identity.fieldPicture',
} as const;

/**
 * Lists profile changes that are saved locally but not sent to the server; renders nothing if all are sent.
 */
export function SyncNote({ agent }: { agent: AgentSummary }) {
  const { link } = useReplica();
  const [unsynced, setUnsynced] = useState<Unsynced | null>(null);
  const tell = useAction('agents.syncProfile');
  const problem = useHost((host) => host?.problems.find((one) => one.id === `profile-${agent.id}`) ?? null);
  const load = useCallback(async () => {
    const result = await link.call('agents.unsynced', { agent: agent.id });
    if (result.ok) setUnsynced(result.value);
  }, [link, agent.id]);
  const { displayName, role, roleShort, avatarUrl, connection } = agent;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these may mean that more or less is told
  useEffect(
    () => void load(),
    [load, displayName, role, roleShort, avatarUrl, connection, problem?.at, problem === null],
  );
  const run = async (): Promise<void> => {
    const result = await tell.run({ agent: agent.id });
    if (result.ok)
      showNotice(result.value.warning === '' ? t('identity.told') : localize(result.value.warning));
    void load();
  };
  const waits = unsynced !== null && unsynced.since !== null && unsynced.fields.length > 0;
  if (!waits)
    return problem === null ? null : (
      <Note tone="warning">
        <p>{localizeError(problem)}</p>
      </Note>
    );
  const fields = new Intl.ListFormat(locale()).format(unsynced.fields.map((one) => t(fieldWords[one])));
  return (
    <Note tone="warning">
      <p>{t('identity.unsynced', { fields })}</p>
      <p className="note-hint">{tell.error ? localizeError(tell.error) : t('identity.unsyncedHint')}</p>
      <button type="button" className="button is-small" disabled={tell.busy} onClick={() => void run()}>
        {tell.busy ? t('identity.telling') : t('identity.tell')}
      </button>
    </Note>
  );
}
