import { useCallback, useEffect, useState } from 'react';
import type { Approval } from '../../contract/approvals.ts';
import type { AppError } from '../../contract/errors.ts';
import { localize, t } from '../../language/texts.ts';
import { answerWords, surfaceWords } from '../format/consent.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Ago } from '../parts/time.tsx';
import { useAsked } from '../state/approvals.ts';
import { useReplica } from '../state/subscriptions.ts';
import { ApprovalDetails } from './approval-details.tsx';
import { hasQuestionFilter, QuestionFilter, type Wanted, wantsAll } from './question-filter.tsx';

const pageSize = 50;
/** Debounce of the search field, in ms. */
const typingMs = 200;

interface Pages {
  readonly all: readonly Approval[] | null;
  readonly more: boolean;
  readonly error: AppError | null;
  older(): void;
}

const queryOf = ({ text, agent, kind, answer }: Wanted) => ({
  ...(agent === '' ? {} : { agent }),
  ...(kind === '' ? {} : { kind }),
  ...(answer === 'all' ? {} : { answer }),
  ...(text.trim() === '' ? {} : { text: text.trim() }),
});

/** Decided approvals, newest first; reloads when the number of waiting ones changes. */
function useHistory(wanted: Wanted): Pages {
  const { link } = useReplica();
  const waiting = useAsked().length;
  const [all, setAll] = useState<readonly Approval[] | null>(null);
  const [more, setMore] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const load = useCallback(
    async (before: readonly Approval[], left: () => boolean = () => false) => {
      const from = before.at(-1)?.id;
      const result = await link.call('approvals.list', {
        state: 'decided',
        limit: pageSize,
        ...queryOf(wanted),
        ...(from === undefined ? {} : { before: from }),
      });
      if (left()) return;
      setError(result.ok ? null : result.error);
      if (!result.ok) return;
      setAll([...before, ...result.value.approvals]);
      setMore(result.value.hasMore);
    },
    [link, wanted],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer given elsewhere asks again
  useEffect(() => {
    let left = false;
    const timer = setTimeout(() => void load([], () => left), wanted.text === '' ? 0 : typingMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [load, waiting]);
  return { all, more, error, older: () => void load(all ?? []) };
}

export function History() {
  const [wanted, setWanted] = useState(wantsAll);
  const [open, setOpen] = useState<string | null>(null);
  const { all, more, error, older } = useHistory(wanted);
  return (
    <div className="stack">
      <QuestionFilter wanted={wanted} answered onChange={setWanted} />
      <ErrorNote error={error} />
      {all === null && error === null && <Skeleton words={t('inbox.reading')} shape="rows" card />}
      {all?.length === 0 && (
        <p className="card-empty" role="status">
          {hasQuestionFilter(wanted) ? t('inbox.noneFits') : t('inbox.historyEmpty')}
        </p>
      )}
      {all !== null && all.length > 0 && (
        <ul className="card rows-card" aria-label={t('inbox.answered')}>
          {all.map((approval) => (
            <HistoryRow key={approval.id} approval={approval} onOpen={() => setOpen(approval.id)} />
          ))}
        </ul>
      )}
      {more && (
        <div>
          <button type="button" className="button is-small" onClick={older}>
            {t('inbox.earlier')}
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
            <bdi>{visibleLine(localize(approval.title))}</bdi>
          </span>
          <span className="fine">
            {answerWords(approval)} {surfaceWords(approval)}
            {approval.decision?.reason ? `: ${visibleLine(localize(approval.decision.reason))}` : ''}
          </span>
        </span>
        <span className="row-time">
          <Ago at={approval.decision?.at ?? approval.createdAt} />
        </span>
      </button>
    </li>
  );
}
