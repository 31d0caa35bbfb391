import { errorSentence } from '../../contract/error-text.ts';
import type { AgentLife, DoctorCheck, HostView } from '../../contract/model.ts';
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
  starting: 'It is starting.',
  running: 'Ready.',
  paused: 'Paused.',
  not_connected: 'Not connected to a server yet.',
  backing_off: 'It failed and starts again by itself.',
  gave_up: 'It stopped.',
  stopping: 'It is stopping.',
  broken: 'Its settings are unreadable.',
} as const satisfies Record<AgentLife, string>;

/** First an unreadable file, then the error that stops the agent. */
function checkAgent(summarize: SummarizeAgent, agent: LoadedAgent): DoctorCheck[] {
  const { life, error, model, provider } = summarize(agent);
  if (!agent.error && !error) {
    const detail = life === 'running' ? `Ready, with ${model || provider}.` : lifeTexts[life];
    return [{ id: `agent-${agent.id}`, title: `Agent ${agent.id}`, status: 'ok', detail }];
  }
  return [agent.error, error].flatMap((found, index) => {
    if (!found) return [];
    const status = index === 0 || life === 'gave_up' ? 'fail' : 'warn';
    const detail = errorSentence(found);
    const id = `agent-${agent.id}${index === 0 ? '' : '-work'}`;
    const check = { id, title: `Agent ${agent.id}`, status, detail } as const;
    return [found.hint ? { ...check, hint: found.hint } : check];
  });
}

function checkServer(mode: HostPorts['mode'], { operator }: HostView): DoctorCheck[] {
  if (mode !== 'full' || !operator || operator.connection === 'online') return [];
  return [
    {
      id: 'server',
      title: 'Server',
      status: 'warn',
      detail: `${operator.slug} is not connected to ${operator.serverUrl} (${operator.connection}).`,
      hint: 'Kennel keeps trying. Check that the server runs and that this machine reaches it.',
    },
  ];
}

/** Reports the current problems of this host, its server and its agents. */
export function checkHost(
  { mode, problems, agents, summarize }: HostCheckDeps,
  view: HostView,
): DoctorCheck[] {
  const checks: DoctorCheck[] = problems.list().map(({ id, severity, message, hint }) => ({
    id: `problem-${id}`,
    title: 'Problem',
    status: severity === 'error' ? 'fail' : 'warn',
    detail: message,
    ...(hint ? { hint } : {}),
  }));
  checks.push(...checkServer(mode, view));
  for (const agent of agents.list()) checks.push(...checkAgent(summarize, agent));
  if (view.vault.note !== '') {
    checks.push({ id: 'vault', title: 'Secrets', status: 'warn', detail: view.vault.note });
  }
  return checks;
}
