import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Approval } from '../../contract/consent.ts';
import type { AppError } from '../../contract/errors.ts';
import { Icon } from '../mark/icon.tsx';
import { ChoiceField } from '../parts/field.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Ago } from '../parts/time.tsx';
import { useAsked } from '../state/asked.ts';
import { useAgents, useReplica } from '../state/subscriptions.ts';
import { answerWords, surfaceWords } from '../words/consent.ts';
import { byWords } from '../words/order.ts';
import { visibleLine } from '../words/visible-text.ts';
import { ApprovalDetails } from './approval-details.tsx';

const pageSize = 50;
type Answer = 'all' | 'allowed' | 'denied' | 'expired' | 'cancelled';
const answers: readonly (readonly [Answer, string])[] = [
  ['all', 'Any answer'],
  ['allowed', 'Allowed'],
  ['denied', 'Denied'],
  ['expired', 'Nobody answered'],
  ['cancelled', 'Withdrawn'],
];

interface Pages {
  readonly all: readonly Approval[] | null;
  readonly more: boolean;
  readonly error: AppError | null;
  older(): void;
}

/** Decided questions, newest first; read anew when the number of waiting ones changes. */
function useHistory(agent: string): Pages {
  const { link } = useReplica();
  const waiting = useAsked().length;
  const [all, setAll] = useState<readonly Approval[] | null>(null);
  const [more, setMore] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(
    async (before: readonly Approval[]) => {
      const from = before.at(-1)?.id;
      const result = await link.call('approvals.list', {
        state: 'decided',
        limit: pageSize,
        ...(agent === '' ? {} : { agent }),
        ...(from === undefined ? {} : { before: from }),
      });
      setError(result.ok ? null : result.error);
      if (!result.ok) return;
      setAll([...before, ...result.value.approvals]);
      setMore(result.value.hasMore);
    },
    [link, agent],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer given elsewhere asks again
  useEffect(() => void load([]), [load, waiting]);
  return { all, more, error, older: () => void load(all ?? []) };
}

export function History() {
  const [agent, setAgent] = useState('');
  const [answer, setAnswer] = useState<Answer>('all');
  const [open, setOpen] = useState<string | null>(null);
  const agents = useAgents((all) => all);
  const { all, more, error, older } = useHistory(agent);
  const names = useMemo(
    () => [
      ['', 'All agents'] as const,
      ...Object.values(agents ?? {})
        .map((one) => [one.id, visibleLine(one.displayName)] as const)
        .sort((a, b) => byWords(a[1], b[1])),
    ],
    [agents],
  );
  const found = (all ?? []).filter((approval) => answer === 'all' || approval.state === answer);
  return (
    <div className="stack">
      <div className="filters">
        <ChoiceField label="Agent" value={agent} options={names} onChange={setAgent} />
        <ChoiceField
          label="Answer"
          value={answer}
          options={answers}
          onChange={(next: Answer) => setAnswer(next)}
        />
      </div>
      <ErrorNote error={error} />
      {all !== null && found.length === 0 && <p className="card-empty">Nothing here yet.</p>}
      {found.length > 0 && (
        <ul className="card rows-card" aria-label="Answered questions">
          {found.map((approval) => (
            <HistoryRow key={approval.id} approval={approval} onOpen={() => setOpen(approval.id)} />
          ))}
        </ul>
      )}
      {more && (
        <div>
          <button type="button" className="button is-small" onClick={older}>
            Show earlier ones
          </button>
        </div>
      )}
      {open !== null && <ApprovalDetails id={open} onClose={() => setOpen(null)} />}
    </div>
  );
}

function HistoryRow({ approval, onOpen }: { approval: Approval; onOpen(): void }) {
  return (
    <li>
      <button type="button" className="row history-row" onClick={onOpen}>
        <Icon name={approval.state === 'allowed' ? 'check' : 'minus'} size={16} />
        <span className="history-words">
          <span>
            <strong>
              <Name>{approval.agentName}</Name>
            </strong>{' '}
            <bdi>{visibleLine(approval.title)}</bdi>
          </span>
          <span className="fine">
            {answerWords(approval)} {surfaceWords(approval)}
            {approval.decision?.reason ? `: ${visibleLine(approval.decision.reason)}` : ''}
          </span>
        </span>
        <span className="row-time">
          <Ago at={approval.decision?.at ?? approval.createdAt} />
        </span>
      </button>
    </li>
  );
}
