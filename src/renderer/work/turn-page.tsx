import { useEffect, useRef, useState } from 'react';
import type { MethodOutput } from '../../contract/methods.ts';
import type { TurnSummary } from '../../contract/work-methods.ts';
import { spendWords } from '../../language/money.ts';
import { localize, t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Icon } from '../mark/icon.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { Fact } from '../parts/fact.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { takeFocus } from '../parts/take-focus.ts';
import { Ago, useNow } from '../parts/time.tsx';
import { useAsked } from '../state/approvals.ts';
import { go } from '../state/route.ts';
import { LiveTurnPanel } from './live-turn.tsx';
import { RawEvents } from './raw-events.tsx';
import { TurnTable } from './turn-table.tsx';
import { stateWords, tookWords, waitedTime } from './turn-text.ts';
import { useTurn } from './use-turn.ts';
import { Waterfall } from './waterfall.tsx';

type View = MethodOutput<'work.turn'>;
type Tab = 'steps' | 'raw';

export function TurnPage({ id }: { id: string }) {
  const { view, error } = useTurn(id);
  const head = useRef<HTMLHeadingElement>(null);
  const known = view !== null;
  useEffect(() => {
    if (known) takeFocus(head.current);
  }, [known]);
  return (
    <div className="page work turn">
      <p>
        <button type="button" className="link turn-back" onClick={() => go({ view: 'work', place: 'turns' })}>
          <Icon name="back" size={16} /> {t('work.back')}
        </button>
      </p>
      <ErrorNote error={error} />
      {view === null && error === null && <Skeleton words={t('work.reading')} shape="text" count={8} card />}
      {view !== null && (
        <>
          <header className="page-head">
            <h1 ref={head} tabIndex={-1}>
              {titleOf(view.turn)}
            </h1>
          </header>
          <Facts turn={view.turn} />
          {view.turn.endedAt === null && view.turn.roomId !== null && (
            <LiveTurnPanel turn={view.turn} roomId={view.turn.roomId} />
          )}
          <Body view={view} />
        </>
      )}
    </div>
  );
}

const titleOf = ({ agentName, roomName }: TurnSummary): string => {
  const values = { name: visibleLine(agentName), room: visibleLine(roomName) };
  return roomName.startsWith('#') ? t('work.turnOf', values) : t('work.turnWith', values);
};

/** The duration is that of the turn's own work: the time that a person took to answer stands beside it. */
function Facts({ turn }: { turn: TurnSummary }) {
  const now = useNow(1_000);
  const waited = waitedTime(turn, now);
  const asks = useAsked().find((approval) => approval.agentId === turn.agentId && turn.state === 'waiting');
  const { roomId } = turn;
  return (
    <section className="card stack">
      <p aria-live="polite">
        <span className={`chip turn-chip is-${turn.state}`}>{stateWords(turn.state)}</span>{' '}
        {turn.detail !== '' && <bdi>{visibleLine(localize(turn.detail))}</bdi>}
      </p>
      <dl className="turn-facts">
        <Fact name={t('work.began')}>
          <Ago at={turn.startedAt} />
        </Fact>
        <Fact name={t('work.took')}>
          {tookWords(turn, now)}
          {waited !== null && ` (${t('work.waitedFor', { time: waited })})`}
        </Fact>
        <Fact name={t('work.cost')}>{spendWords(turn.spend)}</Fact>
        {turn.asked !== '' && (
          <Fact name={t('work.asked')}>
            <bdi>{visibleLine(turn.asked)}</bdi>
          </Fact>
        )}
      </dl>
      <p className="turn-links">
        {roomId !== null && (
          <button
            type="button"
            className="button is-small"
            onClick={() => go({ view: 'chat', room: roomId })}
          >
            {t('work.toChat')}
          </button>
        )}
        {asks !== undefined && (
          <button
            type="button"
            className="button is-small"
            onClick={() => go({ view: 'inbox', id: asks.id })}
          >
            {t('work.toInbox')}
          </button>
        )}
      </p>
    </section>
  );
}

function Body({ view }: { view: View }) {
  const [tab, setTab] = useState<Tab>('steps');
  const { turn } = view;
  return (
    <Tabs
      label={titleOf(turn)}
      value={tab}
      tabs={[
        ['steps', t('work.stepsTab')],
        ['raw', t('work.rawTab')],
      ]}
      onChange={(next: Tab) => setTab(next)}
    >
      {tab === 'raw' ? (
        <RawEvents turn={turn} />
      ) : (
        <div className="stack">
          {view.omitted > 0 && <p className="fine">{t('work.omitted', { n: view.omitted })}</p>}
          {view.parts.length === 0 ? (
            <p className="card-empty">{t('work.noParts')}</p>
          ) : (
            <section className="card">
              <Waterfall turn={turn} parts={view.parts} />
              <TurnTable turn={turn} parts={view.parts} />
            </section>
          )}
          {view.answer !== '' && (
            <section className="card stack" aria-labelledby="turn-answer">
              <h2 id="turn-answer">{t('work.answer')}</h2>
              <Markdown text={view.answer} />
            </section>
          )}
        </div>
      )}
    </Tabs>
  );
}
