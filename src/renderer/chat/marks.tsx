import { useState } from 'react';
import type { AgentMark, ChatMessage, Dot } from '../../contract/model.ts';
import { isUsualSilence } from '../../contract/reasons.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { useAsked } from '../state/asked.ts';
import { useAgent } from '../state/subscriptions.ts';
import { plural } from '../words/amounts.ts';
import { markWords } from '../words/states.ts';
import { visibleLine } from '../words/visible-text.ts';

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
  if (marks.length === 0) return null;
  return (
    <ul className="marks" aria-label="What your agents made of it">
      {marks
        .filter((mark) => !(folded && mark.state === 'silent'))
        .map((mark) => (
          <Mark key={mark.slug} mark={mark} roomId={message.roomId} />
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

const dots: Partial<Record<AgentMark['state'], Dot>> = {
  working: 'working',
  queued: 'offline',
  failed: 'error',
};

function Mark({ mark, roomId }: { mark: AgentMark; roomId: string }) {
  const agent = useAgent(mark.agentId ?? '');
  const asks = useAsked().some((one) => one.agentId === mark.agentId && one.roomId === roomId);
  const dot = dots[mark.state];
  return (
    <li className={`mark-chip is-${mark.state}`}>
      {dot !== undefined && <StateDot state={dot} size={11} label="" />}
      {mark.state === 'done' && <Icon name="check" size={12} />}
      <span>
        <bdi>{visibleLine(agent?.displayName ?? mark.slug)}</bdi>{' '}
        {mark.state === 'queued' && asks
          ? 'will look at this once you have answered its question'
          : markWords(mark)}
      </span>
    </li>
  );
}
