import { type KeyboardEvent, useRef, useState } from 'react';
import type { AgentMark, ChatMessage, Dot } from '../../contract/model.ts';
import { isUsualSilence } from '../../contract/reasons.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { Tip } from '../parts/tip.tsx';
import { useAsked } from '../state/asked.ts';
import { useAgent, useRooms } from '../state/subscriptions.ts';
import { plural } from '../words/amounts.ts';
import { markWords } from '../words/states.ts';
import { visibleLine } from '../words/visible-text.ts';
import { useWhy, type Why } from './why.ts';

const order: Readonly<Record<AgentMark['state'], number>> = {
  working: 0,
  queued: 1,
  failed: 2,
  done: 3,
  silent: 4,
};
/** More silent agents than this become one line. */
const mostSilent = 2;

/** Between agents, silence is the rule and would stand under every message. */
const worthSaying = (message: ChatMessage, mark: AgentMark): boolean =>
  !(message.senderAgent && mark.state === 'silent' && isUsualSilence(mark.reason));

/** After a message: who works on it, who is done, who stayed silent and why. */
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
      aria-label="What agents made of it"
      ref={place}
      onKeyDown={(event) => walk(event, place.current)}
    >
      {marks
        .filter((mark) => !(folded && mark.state === 'silent'))
        .map((mark, index) => (
          <Mark key={mark.slug} mark={mark} roomId={message.roomId} reachable={index === 0} why={why} />
        ))}
      {folded && (
        <li className="mark-chip">
          <button type="button" className="link" onClick={() => setAll(true)}>
            {plural(silent, 'agent')} stayed silent
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

/** One stop of the Tab key for all marks of a message; arrows go from one to the next. */
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
  readonly roomId: string;
  readonly reachable: boolean;
  readonly why: Why;
}

const foreign: Partial<Record<AgentMark['state'], string>> = {
  working: 'has begun to work on it.',
  done: 'has ended its work on it.',
};

function Mark({ mark, roomId, reachable, why }: MarkOf) {
  const agent = useAgent(mark.agentId ?? '');
  const asks = useAsked().some((one) => one.agentId === mark.agentId && one.roomId === roomId);
  const dot = dots[mark.state];
  const member = useRooms(
    (view) => view?.rooms[roomId]?.members.find((one) => one.slug === mark.slug)?.displayName ?? mark.slug,
  );
  const name = <bdi>{visibleLine(agent?.displayName ?? member)}</bdi>;
  const words =
    mark.state === 'queued' && asks
      ? 'will look at this once you have answered its question'
      : mark.agentId === null && mark.state === 'done'
        ? 'is done with it'
        : markWords(mark);
  const told = mark.agentId === null ? null : (why.texts?.[mark.agentId] ?? null);
  return (
    <li>
      <Tip
        className={`mark-chip is-${mark.state}`}
        reachable={reachable}
        onOpen={mark.agentId === null ? nothing : why.ask}
        words={
          mark.agentId === null ? (
            <>
              {name} {foreign[mark.state] ?? words} It is an agent of somebody else: its server tells no more.
            </>
          ) : (
            <>
              {name} {visibleLine(told ?? words)}
            </>
          )
        }
      >
        {dot !== undefined && <StateDot state={dot} size={11} label="" />}
        {mark.state === 'done' && <Icon name="check" size={12} />}
        <span>
          {name} {words}
        </span>
      </Tip>
    </li>
  );
}
