import { memo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { spendShort, spendWords } from '../../language/money.ts';
import { t } from '../../language/texts.ts';
import { NewAgentButton } from '../agents/no-agent-chosen.tsx';
import { byWords } from '../format/order.ts';
import { agentWords, byUrgency } from '../format/states.ts';
import { StateDot } from '../mark/dot.tsx';
import { Name } from '../parts/name.tsx';
import { RoleChip } from '../parts/role-chip.tsx';
import { For } from '../parts/time.tsx';
import { go } from '../state/route.ts';
import { useAgent, useReplica } from '../state/subscriptions.ts';
import { RunsNow } from './runs-now.tsx';
import { TasksNow } from './tasks-now.tsx';

const shown = 8;

/** Agents sorted by urgency; each row subscribes only to its own agent. */
export function Running() {
  const { agents } = useReplica();
  const ids = useStore(
    agents.store,
    useShallow((value) =>
      Object.values(value.state ?? {})
        .sort((a, b) => byUrgency(a.dot, b.dot) || byWords(a.displayName, b.displayName))
        .map((agent) => agent.id),
    ),
  );
  return (
    <section className="card" aria-labelledby="home-running">
      <h2 id="home-running">{t('home.agents')}</h2>
      {ids.length === 0 && (
        <>
          <p className="card-empty">{t('home.noAgents')}</p>
          <NewAgentButton />
        </>
      )}
      <ul className="rows">
        {ids.slice(0, shown).map((id) => (
          <RunningRow key={id} id={id} />
        ))}
      </ul>
      {ids.length > 0 && (
        <button type="button" className="link card-foot" onClick={() => go({ view: 'agents', agent: null })}>
          {ids.length > shown ? t('home.allAgents', { count: ids.length }) : t('home.toAgents')}
        </button>
      )}
      <TasksNow />
      <RunsNow />
    </section>
  );
}

const RunningRow = memo(function RunningRow({ id }: { id: string }) {
  const agent = useAgent(id);
  if (agent === null) return null;
  return (
    <li>
      <button type="button" className="row" onClick={() => go({ view: 'agents', agent: id })}>
        <StateDot state={agent.dot} />
        <span className="row-name">
          <Name>{agent.displayName}</Name>
        </span>
        <RoleChip agent={agent} />
        <span className="row-now">{agentWords(agent)}</span>
        {agent.spentToday.tokens > 0 && (
          <span className="row-time" title={spendWords(agent.spentToday)}>
            {t('home.todayOfAgent', { cost: spendShort(agent.spentToday) })}
          </span>
        )}
        <span className="row-time">
          <For since={agent.since} />
        </span>
      </button>
    </li>
  );
});
