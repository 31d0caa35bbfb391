import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { TurnSummary } from '../../contract/work-methods.ts';
import { spendShort } from '../../language/money.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ArrangedList } from '../lists/arranged-list.tsx';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { Empty } from '../parts/empty.tsx';
import { Name } from '../parts/name.tsx';
import { ErrorNote, Note } from '../parts/notes.tsx';
import { Ago, useNow } from '../parts/time.tsx';
import { usePreferences } from '../state/preferences.ts';
import { go } from '../state/route.ts';
import { useReplica } from '../state/subscriptions.ts';
import { turnActions, turnArrangement } from './arranged-turns.ts';
import { TurnFilter } from './turn-filter.tsx';
import { stateDots, stateWords, tookWords, waitedTime } from './turn-text.ts';
import { allTurns, hasTurnFilter, useTurns } from './use-turns.ts';

/** Id of the last opened turn, so that the list restores the focus to it. */
let lastOpened: string | null = null;

/** Turns of one agent, or of all if `agent` is empty. */
export function TurnsList({ agent = '' }: { agent?: string }) {
  const [wanted, setWanted] = useState(() => ({ ...allTurns, agent }));
  const { turns, closed, error, more, older } = useTurns(wanted);
  return (
    <div className="stack">
      <TurnFilter wanted={wanted} byAgent={agent === ''} onChange={setWanted} />
      <ErrorNote error={error} />
      {closed.map(({ agentId, agentName, text }) => (
        <Note key={agentId} tone="warning">
          <p>{t('work.closed', { name: visibleLine(agentName), why: visibleLine(localize(text)) })}</p>
        </Note>
      ))}
      {turns === null && error === null && <Skeleton />}
      {turns !== null && (
        <TurnRows
          turns={turns}
          named={agent === ''}
          none={
            hasTurnFilter({ ...wanted, agent: '' }) || wanted.agent !== agent ? <NoneFits /> : <NothingYet />
          }
          {...(more ? { onMore: older } : {})}
        />
      )}
    </div>
  );
}

interface RowsOf {
  readonly turns: readonly TurnSummary[];
  readonly named: boolean;
  /** Shown instead of the rows if none exist. */
  readonly none: ReactNode;
  /** Loads further turns; absent if all are given. */
  onMore?(): void;
}

const nameOf = ({ agentName, asked, roomName }: TurnSummary): string =>
  `${visibleLine(agentName)}: ${visibleLine(asked === '' ? roomName : asked)}`;

function TurnRows({ turns, named, none, onMore }: RowsOf) {
  const { link } = useReplica();
  const chosen = usePreferences(({ lists }) => lists.turns);
  const by = useMemo(() => turnArrangement(chosen), [chosen]);
  // The turn that was left is rendered again, wherever it is in the list, and takes the focus.
  const [opened] = useState(lastOpened);
  return (
    <ArrangedList
      list="turns"
      label={t('work.list')}
      rows={turns}
      by={by}
      actions={turnActions(link)}
      current={opened}
      none={none}
      nameOf={nameOf}
      render={(turn, reachable) => <TurnRow turn={turn} named={named} reachable={reachable} />}
      {...(onMore ? { more: { label: t('work.earlier'), load: onMore } } : {})}
    />
  );
}

const NoneFits = () => (
  <p className="card-empty" role="status">
    {t('work.noneFits')}
  </p>
);

const NothingYet = () => (
  <Empty title={t('work.emptyTitle')}>
    <p>{t('work.empty')}</p>
  </Empty>
);

/** Has the height of the rows, so that the layout does not shift. */
function Skeleton() {
  return (
    <div className="card rows-card turns" role="status">
      <span className="visually-hidden">{t('work.reading')}</span>
      {[0, 1, 2, 3, 4].map((row) => (
        <div key={row} className="turn-row is-skeleton" aria-hidden="true" />
      ))}
    </div>
  );
}

function TurnSign({ state }: Pick<TurnSummary, 'state'>) {
  const dot = stateDots[state];
  if (dot !== undefined) return <StateDot state={dot} size={14} label="" />;
  return <Icon name={state === 'done' ? 'check' : state === 'stopped' ? 'stop' : 'minus'} size={14} />;
}

interface RowOf {
  readonly turn: TurnSummary;
  /** Shows whose turn it is. */
  readonly named: boolean;
  readonly reachable: boolean;
}

const TurnRow = memo(function TurnRow({ turn, named, reachable }: RowOf) {
  const now = useNow();
  const place = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (lastOpened !== turn.id) return;
    lastOpened = null;
    place.current?.focus();
  }, [turn.id]);
  const open = (): void => {
    lastOpened = turn.id;
    go({ view: 'work', place: turn.id });
  };
  const asked = visibleLine(turn.asked);
  const waited = waitedTime(turn, now);
  return (
    <button
      type="button"
      data-item
      className={`row turn-row is-${turn.state}`}
      tabIndex={reachable ? 0 : -1}
      ref={place}
      onClick={open}
    >
      <TurnSign state={turn.state} />
      <span className="turn-words">
        <span className="turn-line">
          {named && (
            <strong>
              <Name>{turn.agentName}</Name>{' '}
            </strong>
          )}
          <bdi>{asked === '' ? visibleLine(turn.roomName) : asked}</bdi>
        </span>
        <span className="fine turn-line">
          <span className="turn-state">{stateWords(turn.state)}</span>
          {waited !== null && ` · ${t('work.waited', { time: waited })}`}
          {' · '}
          <bdi>{visibleLine(turn.roomName)}</bdi>
          {turn.detail !== '' && (
            <>
              {' · '}
              <bdi>{visibleLine(localize(turn.detail))}</bdi>
            </>
          )}
        </span>
      </span>
      <span className="turn-numbers fine">
        <span>{tookWords(turn, now)}</span>
        <span>{t('work.steps', { n: turn.steps })}</span>
        <span>{spendShort(turn.spend)}</span>
      </span>
      <span className="row-time">
        <Ago at={turn.startedAt} />
      </span>
    </button>
  );
});
