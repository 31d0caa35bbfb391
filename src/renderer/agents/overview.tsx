import type { AgentSummary } from '../../contract/model.ts';
import { spendWords } from '../../language/money.ts';
import { t } from '../../language/texts.ts';
import { connectionWords } from '../format/states.ts';
import { visibleLine } from '../format/visible-text.ts';
import { Fact } from '../parts/fact.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { Name } from '../parts/name.tsx';
import { Ago } from '../parts/time.tsx';
import type { Detail } from './agent-detail.ts';
import { LastMessages } from './last-messages.tsx';

interface OverviewOf {
  readonly agent: AgentSummary;
  readonly detail: Detail;
  onIdentity(): void;
}

export function Overview({ agent, detail, onIdentity }: OverviewOf) {
  return (
    <div className="two-columns">
      <div className="stack">
        <About agent={agent} onIdentity={onIdentity} />
        <LastMessages agent={agent} />
      </div>
      <Facts agent={agent} detail={detail} />
    </div>
  );
}

function About({ agent, onIdentity }: Pick<OverviewOf, 'agent' | 'onIdentity'>) {
  return (
    <section className="card" aria-labelledby="about-agent">
      <header className="card-head">
        <h2 id="about-agent">{t('agents.role')}</h2>
        <IconButton icon="pencil" label={t('agents.changeIdentity')} size={18} onPress={onIdentity} />
      </header>
      <p className={agent.role === '' ? 'soft' : 'role'}>
        {agent.role === '' ? t('agents.noRole') : <Name>{agent.role}</Name>}
      </p>
    </section>
  );
}

function Facts({ agent, detail: { detail } }: { agent: AgentSummary; detail: Detail }) {
  const refused = Object.entries(detail?.refused ?? {});
  return (
    <section className="card facts" aria-label={t('agents.facts')}>
      <h2>{t('agents.facts')}</h2>
      <dl>
        <Fact name={t('agents.connection')}>{connectionWords(agent.connection)}</Fact>
        <Fact name={t('agents.model')}>{agent.scripted ? t('agents.scriptedModel') : modelWords(agent)}</Fact>
        <Fact name={t('agents.today')}>{spendWords(agent.spentToday)}</Fact>
        <Fact name={t('agents.seen')}>{t('agents.seenCount', { count: agent.messageCount })}</Fact>
        <Fact name={t('agents.lastSign')}>
          {agent.lastEventAt === null ? t('agents.noneYet') : <Ago at={agent.lastEventAt} />}
        </Fact>
        <Fact name={t('agents.userName')}>
          {agent.slug === null ? t('agents.noneYet') : <code>@{visibleLine(agent.slug)}</code>}
        </Fact>
        <Fact name={t('agents.server')}>{detail?.serverUrl || t('agents.noServer')}</Fact>
        <Fact name={t('agents.folder')}>
          {detail === null ? '' : <code className="path">{detail.folder}</code>}
        </Fact>
        {refused.map(([reason, count]) => (
          <Fact key={reason} name={t('agents.refused')}>
            {t('agents.refusedCount', { count, reason })}
          </Fact>
        ))}
      </dl>
    </section>
  );
}

const modelWords = (agent: AgentSummary): string =>
  agent.model === ''
    ? agent.provider || t('agents.automaticModel')
    : t('agents.modelAt', { model: visibleLine(agent.model), provider: agent.provider });
