import { hintOf, messageOf } from '../../contract/errors.ts';
import { placedMessage } from '../../contract/located-message.ts';
import type { AgentLife, DoctorCheck, HostView } from '../../contract/model.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { SummarizeAgent } from '../agents/agent-view.ts';
import type { HostPorts } from '../host-ports.ts';
import type { Problems } from '../problems.ts';

export interface HostCheckDeps {
  readonly mode: HostPorts['mode'];
  readonly problems: Pick<Problems, 'list'>;
  readonly agents: Pick<AgentStore, 'list'>;
  readonly summarize: SummarizeAgent;
}

const lifeTexts = {
  starting: say('doctor.starting'),
  running: say('doctor.ready'),
  paused: say('doctor.paused'),
  not_connected: say('doctor.notConnected'),
  backing_off: say('doctor.backingOff'),
  gave_up: say('doctor.gaveUp'),
  stopping: say('doctor.stopping'),
  broken: say('doctor.broken'),
} as const satisfies Record<AgentLife, HostText>;

/** First an unreadable file, then the error that stops the agent. */
function checkAgent(summarize: SummarizeAgent, agent: LoadedAgent): DoctorCheck[] {
  const { life, error, model, provider } = summarize(agent);
  if (!agent.error && !error) {
    const detail =
      life === 'running' ? say('doctor.readyWith', { model: model || provider }) : lifeTexts[life];
    return [{ id: `agent-${agent.id}`, title: say('doctor.agent', { id: agent.id }), status: 'ok', detail }];
  }
  return [agent.error, error].flatMap((found, index) => {
    if (!found) return [];
    const status = index === 0 || life === 'gave_up' ? 'fail' : 'warn';
    const detail = placedMessage(found);
    const id = `agent-${agent.id}${index === 0 ? '' : '-work'}`;
    const check = { id, title: say('doctor.agent', { id: agent.id }), status, detail } as const;
    return [{ ...check, hint: hintOf(found) }];
  });
}

function checkServer(mode: HostPorts['mode'], { operator }: HostView): DoctorCheck[] {
  if (mode !== 'full' || !operator || operator.connection === 'online') return [];
  return [
    {
      id: 'server',
      title: say('doctor.server'),
      status: 'warn',
      detail: say('doctor.operatorOffline', {
        slug: operator.slug,
        server: operator.serverUrl,
        state: say(`doctor.connection_${operator.connection}`),
      }),
      hint: say('doctor.keepsTrying'),
    },
  ];
}

/** Reports the current problems of this host, its server and its agents. */
export function checkHost(
  { mode, problems, agents, summarize }: HostCheckDeps,
  view: HostView,
): DoctorCheck[] {
  const checks: DoctorCheck[] = problems.list().map((problem) => ({
    id: `problem-${problem.id}`,
    title: say('doctor.problem'),
    status: problem.severity === 'error' ? 'fail' : 'warn',
    detail: messageOf(problem),
    hint: hintOf(problem),
  }));
  checks.push(...checkServer(mode, view));
  for (const agent of agents.list()) checks.push(...checkAgent(summarize, agent));
  if (view.vault.note !== '') {
    checks.push({ id: 'vault', title: say('doctor.secrets'), status: 'warn', detail: view.vault.note });
  }
  return checks;
}
