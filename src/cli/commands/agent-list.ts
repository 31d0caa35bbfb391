import type { AgentSummary } from '../../contract/model.ts';
import { defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { withHost } from '../host-call.ts';
import { columnsText, type StateCell } from '../table.ts';
import { commandFailure, exitOk, show } from '../terminal.ts';
import { namesOf } from '../union-names.ts';

/** Without a running host every agent is stopped. */
export const lifeOf = ({ life }: AgentSummary, running: boolean): string =>
  copy(life === 'starting' && !running ? 'cliAgents.life_stopped' : `cliAgents.life_${life}`);

const dotTones: Record<AgentSummary['dot'], StateCell['tone']> = {
  idle: 'good',
  working: 'busy',
  needs_you: 'attention',
  error: 'bad',
  offline: 'quiet',
};

const badLives: readonly string[] = ['backing_off', 'gave_up', 'broken'];

/** One state, as the window shows it: what a running agent does, else why it does not run. */
export function agentStateCell(agent: AgentSummary, running: boolean): StateCell {
  const { life, dot, configError } = agent;
  const cell =
    life === 'running'
      ? { text: copy(`cliAgents.dot_${dot}`), tone: dotTones[dot] }
      : ({ text: lifeOf(agent, running), tone: badLives.includes(life) ? 'bad' : 'quiet' } as const);
  if (!configError || life === 'broken') return cell;
  return { text: copy('cliAgents.alsoUnreadable', { state: cell.text }), tone: 'bad' };
}

export const modelWords = (agent: AgentSummary): string =>
  agent.scripted ? copy('cliAgents.scripted') : `${agent.provider} ${agent.model}`.trim();

/** States to filter by, as the window groups them. */
type ListState = 'needs-you' | 'failed' | 'working' | 'idle' | 'paused' | 'offline';

const stateNames = namesOf<ListState>({
  'needs-you': true,
  failed: true,
  working: true,
  idle: true,
  paused: true,
  offline: true,
});

const dotNames: Readonly<Record<AgentSummary['dot'], ListState>> = {
  needs_you: 'needs-you',
  error: 'failed',
  working: 'working',
  idle: 'idle',
  offline: 'offline',
};

/** The group of the state that the table shows: an agent that does not run is offline, paused or failed. */
function listStateOf({ life, dot }: AgentSummary): ListState {
  if (life === 'running') return dotNames[dot];
  if (life === 'paused') return 'paused';
  return badLives.includes(life) ? 'failed' : 'offline';
}

type Sort = 'name' | 'state' | 'activity' | 'spend';

const byName = (a: AgentSummary, b: AgentSummary): number =>
  a.displayName.localeCompare(b.displayName) || a.id.localeCompare(b.id);

const compareBy: Readonly<Record<Sort, (a: AgentSummary, b: AgentSummary) => number>> = {
  name: byName,
  state: (a, b) => stateNames.indexOf(listStateOf(a)) - stateNames.indexOf(listStateOf(b)) || byName(a, b),
  activity: (a, b) => (b.lastEventAt ?? 0) - (a.lastEventAt ?? 0) || byName(a, b),
  spend: (a, b) =>
    (b.spentToday.usd ?? 0) - (a.spentToday.usd ?? 0) ||
    b.spentToday.tokens - a.spentToday.tokens ||
    byName(a, b),
};

const sortNames = namesOf<Sort>({ name: true, state: true, activity: true, spend: true });

interface ListFlags {
  readonly json?: boolean;
  readonly state?: string;
  readonly sort?: string;
}

/** One of the names, or `null` if the option is absent. */
function oneOf<T extends string>(option: string, names: readonly T[], given: string | undefined): T | null {
  const found = names.find((name) => name === given);
  if (found === undefined && given !== undefined)
    throw commandFailure('invalid_input', 'cliTerminal.takesOneOf', {
      flag: option,
      names: names.join(', '),
    });
  return found ?? null;
}

async function runList(_args: readonly string[], flags: ListFlags): Promise<number> {
  const state = oneOf('--state', stateNames, flags.state);
  const sort = oneOf('--sort', sortNames, flags.sort);
  return withHost('look', async ({ call, running }) => {
    const all = (await call('agents.list', {})).agents;
    const fitting = all.filter((agent) => state === null || listStateOf(agent) === state);
    const agents = sort === null ? fitting : fitting.sort(compareBy[sort]);
    const rows = agents.map((agent) => [
      agent.id,
      agent.displayName,
      agentStateCell(agent, running),
      modelWords(agent),
      agent.slug ?? '-',
    ]);
    const heads = [
      copy('cliHeads.id'),
      copy('cliHeads.name'),
      copy('cliHeads.state'),
      copy('cliHeads.model'),
      copy('cliHeads.handle'),
    ];
    const none =
      all.length === 0 ? copy('cliAgents.noneYet') : copy('cliAgents.noneInState', { state: state ?? '' });
    const list =
      agents.length === 0
        ? none
        : [columnsText(heads, rows), ...(running ? [] : [copy('cliAgents.notRunning')])];
    show(flags.json === true, { running, agents }, list);
    return exitOk;
  });
}

export const listAgentsCommand = defineCommand({
  verb: 'list',
  options: [{ flags: `--state <${stateNames.join('|')}>` }, { flags: `--sort <${sortNames.join('|')}>` }],
  examples: [
    'agent list',
    'agent list --state failed',
    "agent list --sort spend --json | jq -r '.agents[0].id'",
  ],
  run: runList,
});
