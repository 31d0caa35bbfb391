import { type KeyboardEvent, type ReactNode, useCallback, useRef, useState } from 'react';
import type { AgentMark, ChatMessage, Dot } from '../../contract/model.ts';
import { isUsualSilence } from '../../contract/reasons.ts';
import type { HostText } from '../../language/host-message.ts';
import { localize, t } from '../../language/texts.ts';
import { markWords } from '../format/marks.ts';
import { visibleLine } from '../format/visible-text.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { lacksModel } from '../models/lacks-model.ts';
import { apart, hidden } from '../parts/rich.tsx';
import { Tip } from '../parts/tip.tsx';
import { act } from '../state/action.ts';
import { useAsked } from '../state/approvals.ts';
import { go } from '../state/route.ts';
import { useAgent, useReplica, useRooms } from '../state/subscriptions.ts';

const order: Readonly<Record<AgentMark['state'], number>> = {
  working: 0,
  queued: 1,
  failed: 2,
  done: 3,
  silent: 4,
};
/** A larger number of silent agents folds into one line. */
const mostSilent = 2;

/** Hides the usual silence between agents, which would otherwise appear under every message. */
const worthSaying = (message: ChatMessage, mark: AgentMark): boolean =>
  !(message.senderAgent && mark.state === 'silent' && isUsualSilence(mark.reason));

/** Agents' states for a message: working, done, or silent with the reason. */
export function Marks({ message }: { message: ChatMessage }) {
  const [all, setAll] = useState(false);
  const marks = message.marks
    .filter((mark) => worthSaying(message, mark))
    .sort((a, b) => order[a.state] - order[b.state]);
  const silent = marks.filter((mark) => mark.state === 'silent').length;
  const folded = !all && silent > mostSilent;
  const why = useWhy(message);
  const place = useRef<HTMLUListElement>(null);
  if (marks.length === 0) return null;
  return (
    <ul
      className="marks"
      aria-label={t('workInChat.marks')}
      ref={place}
      onKeyDown={(event) => walk(event, place.current)}
    >
      {marks
        .filter((mark) => !(folded && mark.state === 'silent'))
        .map((mark, index) => (
          <Mark key={mark.slug} mark={mark} message={message} reachable={index === 0} why={why} />
        ))}
      {folded && (
        <li className="mark-chip">
          <button type="button" className="link" onClick={() => setAll(true)}>
            {t('workInChat.silentAgents', { count: silent })}
          </button>
        </li>
      )}
    </ul>
  );
}

const nothing = () => undefined;

const dots: Partial<Record<AgentMark['state'], Dot>> = {
  working: 'working',
  queued: 'offline',
  failed: 'error',
};

/** Roving focus: all marks of a message are one tab stop, and arrow keys move between them. */
function walk(event: KeyboardEvent, place: HTMLElement | null): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const all = [...(place?.querySelectorAll<HTMLElement>('[data-tip]') ?? [])];
  const at = all.findIndex((one) => one.matches(':focus'));
  all[Math.min(Math.max(at + step, 0), all.length - 1)]?.focus();
}

interface MarkOf {
  readonly mark: AgentMark;
  readonly message: ChatMessage;
  readonly reachable: boolean;
  readonly why: Why;
}

/** Agents of other operators: the server reports only these states. */
function foreignWords(state: AgentMark['state'], who: string): ReactNode {
  if (state === 'working') return t.rich('workInChat.foreignWorking', { who, name: apart });
  if (state === 'done') return t.rich('workInChat.foreignDone', { who, name: apart });
  return t('workInChat.foreignOther');
}

function Mark({ mark, message, reachable, why }: MarkOf) {
  const { roomId } = message;
  const agent = useAgent(mark.agentId ?? '');
  const asks = useAsked().some((one) => one.agentId === mark.agentId && one.roomId === roomId);
  const dot = dots[mark.state];
  const member = useRooms(
    (view) => view?.rooms[roomId]?.members.find((one) => one.slug === mark.slug)?.displayName ?? mark.slug,
  );
  const who = visibleLine(agent?.displayName ?? member);
  const words =
    mark.state === 'queued' && asks
      ? t.rich('workInChat.queuedBehindQuestion', { who, name: apart })
      : mark.agentId === null && mark.state === 'done'
        ? t.rich('workInChat.doneElsewhere', { who, name: apart })
        : markWords(mark, who);
  const sentence = mark.agentId === null ? null : (why.texts?.[mark.agentId] ?? null);
  return (
    <li>
      <Tip
        className={`mark-chip is-${mark.state}`}
        reachable={reachable}
        onOpen={mark.agentId === null ? nothing : why.ask}
        words={
          mark.agentId === null
            ? foreignWords(mark.state, who)
            : sentence === null
              ? words
              : t.rich('workInChat.told', { who, told: visibleLine(localize(sentence)), name: apart })
        }
      >
        {dot !== undefined && <StateDot state={dot} size={11} label="" />}
        {mark.state === 'done' && <Icon name="check" size={12} />}
        <span>{words}</span>
      </Tip>
      {mark.state === 'failed' && mark.agentId !== null && (
        <>
          {lacksModel(agent) && <ChooseModel agentId={mark.agentId} who={who} />}
          <TryAgain agentId={mark.agentId} messageId={message.id} who={who} />
        </>
      )}
    </li>
  );
}

/** Opens the page of the agent, which starts with its model settings while they are incomplete. */
function ChooseModel({ agentId, who }: { agentId: string; who: string }) {
  return (
    <>
      {' '}
      <button type="button" className="mark-again" onClick={() => go({ view: 'agents', agent: agentId })}>
        {t.rich('workInChat.chooseModel', { who, hidden })}
      </button>
    </>
  );
}

function TryAgain({ agentId, messageId, who }: { agentId: string; messageId: string; who: string }) {
  const { link } = useReplica();
  const [busy, setBusy] = useState(false);
  const again = async (): Promise<void> => {
    setBusy(true);
    await act(link, 'chat.answerAgain', { agent: agentId, message: messageId });
    setBusy(false);
  };
  return (
    <>
      {' '}
      <button type="button" className="mark-again" disabled={busy} onClick={() => void again()}>
        {t.rich('workInChat.tryAgain', { who, hidden })}
      </button>
    </>
  );
}

interface Why {
  /** Explanations by agent id, without the name; `null` until requested. */
  readonly texts: Readonly<Record<string, HostText>> | null;
  ask(): void;
}

/** Explains how each agent treated a message; each request asks the host again. */
function useWhy(message: ChatMessage): Why {
  const { link } = useReplica();
  const [texts, setTexts] = useState<Why['texts']>(null);
  const { id } = message;
  const ask = useCallback((): void => {
    void link.call('chat.why', { message: id }).then((result) => {
      if (result.ok) setTexts(Object.fromEntries(result.value.agents.map((one) => [one.agentId, one.text])));
    });
  }, [link, id]);
  return { texts, ask };
}
