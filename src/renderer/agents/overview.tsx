import type { ReactNode } from 'react';
import type { AgentSummary } from '../../contract/model.ts';
import { Ago } from '../parts/time.tsx';
import { plural } from '../words/amounts.ts';
import { spendWords } from '../words/money.ts';
import { connectionWords } from '../words/states.ts';
import { visibleLine } from '../words/visible-text.ts';
import { AboutForm } from './about-form.tsx';
import type { Detail } from './agent-page.tsx';
import { LastMessages } from './last-messages.tsx';

export function Overview({ agent, detail }: { agent: AgentSummary; detail: Detail }) {
  return (
    <div className="two-columns">
      <div className="stack">
        <AboutForm agent={agent} onSaved={detail.reload} />
        <LastMessages agent={agent} />
      </div>
      <Facts agent={agent} detail={detail} />
    </div>
  );
}

function Facts({ agent, detail: { detail } }: { agent: AgentSummary; detail: Detail }) {
  const refused = Object.entries(detail?.refused ?? {});
  return (
    <section className="card facts" aria-label="Facts">
      <h2>Facts</h2>
      <dl>
        <Fact name="Connection">{connectionWords(agent.connection)}</Fact>
        <Fact name="Model">{agent.scripted ? 'scripted, not a model' : modelWords(agent)}</Fact>
        <Fact name="Today">{spendWords(agent.spentToday)}</Fact>
        <Fact name="Messages seen">{plural(agent.messageCount, 'message')}</Fact>
        <Fact name="Last sign of life">
          {agent.lastEventAt === null ? 'none yet' : <Ago at={agent.lastEventAt} />}
        </Fact>
        <Fact name="User name">
          {agent.slug === null ? 'none yet' : <code>@{visibleLine(agent.slug)}</code>}
        </Fact>
        <Fact name="Server">{detail?.serverUrl || 'none'}</Fact>
        <Fact name="Folder">{detail === null ? '' : <code className="path">{detail.folder}</code>}</Fact>
        {refused.map(([reason, count]) => (
          <Fact key={reason} name="Refused">
            {plural(count, 'envelope')}: {reason}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

const modelWords = (agent: AgentSummary): string =>
  agent.model === '' ? agent.provider || 'chosen automatically' : `${agent.model} (${agent.provider})`;

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
