import type { AgentMark, Dot } from '../../contract/model.ts';
import { StateDot } from '../mark/dot.tsx';
import { Icon } from '../mark/icon.tsx';
import { useAgent } from '../state/subscriptions.ts';
import { markWords } from '../words/states.ts';
import { visibleLine } from '../words/visible-text.ts';

const order: Readonly<Record<AgentMark['state'], number>> = {
  working: 0,
  queued: 1,
  failed: 2,
  done: 3,
  silent: 4,
};

/** After a message: who works on it, who is done, who stayed silent and why. */
export function Marks({ marks }: { marks: readonly AgentMark[] }) {
  const sorted = [...marks].sort((a, b) => order[a.state] - order[b.state]);
  return (
    <ul className="marks" aria-label="What your agents made of it">
      {sorted.map((mark) => (
        <Mark key={mark.agentId} mark={mark} />
      ))}
    </ul>
  );
}

const dots: Partial<Record<AgentMark['state'], Dot>> = {
  working: 'working',
  queued: 'offline',
  failed: 'error',
};

function Mark({ mark }: { mark: AgentMark }) {
  const agent = useAgent(mark.agentId);
  const words = markWords(mark, visibleLine(agent?.displayName ?? mark.slug));
  const dot = dots[mark.state];
  return (
    <li className={`mark-chip is-${mark.state}`} title={mark.reason}>
      {dot !== undefined && <StateDot state={dot} size={11} label="" />}
      {mark.state === 'done' && <Icon name="check" size={12} />}
      <bdi>{words}</bdi>
    </li>
  );
}
