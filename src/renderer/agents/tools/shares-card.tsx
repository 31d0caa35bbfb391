import { useCallback, useEffect, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Grant } from '../../../contract/approvals.ts';
import type { AppError } from '../../../contract/errors.ts';
import type { AgentSummary, Room } from '../../../contract/model.ts';
import { localize, t } from '../../../language/texts.ts';
import { byWords } from '../../format/order.ts';
import { visibleLine } from '../../format/visible-text.ts';
import { ExactText } from '../../parts/exact-text.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { act, useAction } from '../../state/action.ts';
import { useReplica, useRooms } from '../../state/subscriptions.ts';
import { noShare, ShareFields, shareInput } from './share-fields.tsx';

/** Channels that the agent is a member of. */
const useChannels = (slug: string | null): readonly Room[] =>
  useRooms(
    useShallow((view) =>
      Object.values(view?.rooms ?? {})
        .filter(({ kind, members }) => kind === 'channel' && members.some((one) => one.slug === slug))
        .sort((a, b) => byWords(a.name, b.name)),
    ),
  );

/** Standing grants: the channels to which the agent may send the operator's data without an approval. */
export function SharesCard({ agent }: { agent: AgentSummary }) {
  const { link } = useReplica();
  const [shares, setShares] = useState<readonly Grant[]>([]);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(async () => {
    const result = await link.call('grants.list', { agent: agent.id });
    setError(result.ok ? null : result.error);
    if (result.ok)
      setShares(result.value.grants.filter((one) => one.tool === 'share' && one.agentId === agent.id));
  }, [link, agent.id]);
  useEffect(() => void load(), [load]);
  const revoke = async ({ id }: Grant): Promise<void> => {
    if (await act(link, 'grants.revoke', { id })) await load();
  };
  return (
    <section className="card stack" aria-labelledby="shares-title">
      <h2 id="shares-title">{t('tools.shares')}</h2>
      <p className="soft">{t('tools.sharesText')}</p>
      <ErrorNote error={error} />
      {shares.length === 0 && error === null && <p className="soft">{t('tools.noShares')}</p>}
      <ul className="logins" aria-label={t('tools.shares')}>
        {shares.map((grant) => (
          <li key={grant.id}>
            <p>
              <ExactText text={localize(grant.rule)} />
            </p>
            <button
              type="button"
              className="button is-small"
              aria-label={t('tools.unshareOf', { rule: visibleLine(localize(grant.rule)) })}
              onClick={() => void revoke(grant)}
            >
              {t('tools.unshare')}
            </button>
          </li>
        ))}
      </ul>
      <NewShare agent={agent} onDone={() => void load()} />
    </section>
  );
}

function NewShare({ agent, onDone }: { agent: AgentSummary; onDone(): void }) {
  const channels = useChannels(agent.slug);
  const share = useAction('grants.share');
  const [chosen, setChosen] = useState(noShare);
  const [first] = channels;
  if (first === undefined) return <p className="field-hint">{t('tools.noChannelToShare')}</p>;
  const room = (channels.find(({ id }) => id === chosen.room) ?? first).id;
  const form = { ...chosen, room };
  const input = shareInput(form);
  const run = async (): Promise<void> => {
    if (input === null) return;
    const shared = await share.run({ agent: agent.id, ...input });
    if (shared.ok) onDone();
  };
  return (
    <>
      <ShareFields
        label={t('tools.shareWith')}
        form={form}
        channels={channels}
        change={(part) => setChosen({ ...form, ...part })}
      />
      <ErrorNote error={share.error} />
      <button
        type="button"
        className="button"
        disabled={share.busy || input === null}
        onClick={() => void run()}
      >
        {t('tools.share')}
      </button>
    </>
  );
}
