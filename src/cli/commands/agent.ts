import { errorLines } from '../../contract/error-text.ts';
import type { AgentDetail, AgentSummary } from '../../contract/model.ts';
import { englishText } from '../../language/host-message.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { withHost } from '../host-call.ts';
import { columnsText, type StateCell } from '../table.ts';
import { askInTerminal, CommandFailure, canAsk, exitOk, show, usageError } from '../terminal.ts';
import { createAgentCommand } from './agent-create.ts';
import { editCommand, profileCommand } from './agent-edit.ts';
import { runtimeCommand } from './agent-runtime.ts';
import { shareCommand } from './agent-share.ts';
import { stopAgentCommand, toolsCommand } from './agent-work.ts';
import { exportCommand, registerCommand } from './bundles.ts';
import { autoAcceptCommand } from './space-invites.ts';
import { refreshPingCommand, resetPrimerCommand } from './upkeep.ts';

interface Flags {
  readonly json?: boolean;
  readonly keepIdentity?: boolean;
}

const lifeWords: Record<AgentSummary['life'], string> = {
  starting: 'starting',
  running: 'running',
  paused: 'paused',
  not_connected: 'not connected',
  backing_off: 'failed, will try again',
  gave_up: 'failed repeatedly',
  stopping: 'stopping',
  broken: 'settings unreadable',
};

/** Without a running host every agent is stopped. */
const lifeOf = ({ life }: AgentSummary, running: boolean): string =>
  life === 'starting' && !running ? 'stopped' : lifeWords[life];

const dotStates: Record<AgentSummary['dot'], StateCell> = {
  idle: { text: 'idle', tone: 'good' },
  working: { text: 'working', tone: 'busy' },
  needs_you: { text: 'needs you', tone: 'attention' },
  error: { text: 'failed', tone: 'bad' },
  offline: { text: 'offline', tone: 'quiet' },
};

const badLives: readonly string[] = ['backing_off', 'gave_up', 'broken'];

/** One state, as the window shows it: what a running agent does, else why it does not run. */
function stateOf(agent: AgentSummary, running: boolean): StateCell {
  const { life, dot, configError } = agent;
  const cell =
    life === 'running'
      ? dotStates[dot]
      : ({ text: lifeOf(agent, running), tone: badLives.includes(life) ? 'bad' : 'quiet' } as const);
  if (!configError || life === 'broken') return cell;
  return { text: `${cell.text}, settings unreadable`, tone: 'bad' };
}

const notRunning = 'Kennel is not running, so no agent works now. Start it with "kennel start".';

const modelWords = (agent: AgentSummary): string =>
  agent.scripted ? 'scripted (not a model)' : `${agent.provider} ${agent.model}`.trim();

function oneLine(agent: AgentSummary, running: boolean): string {
  const line = `${agent.id} is ${lifeOf(agent, running)}.`;
  return agent.life === 'starting' && !running ? `${line} It starts with Kennel: "kennel start".` : line;
}

async function runList(_args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call, running }) => {
    const { agents } = await call('agents.list', {});
    const rows = agents.map((agent) => [
      agent.id,
      agent.displayName,
      stateOf(agent, running),
      modelWords(agent),
      agent.slug ?? '-',
    ]);
    const text =
      agents.length === 0
        ? 'No agents yet. Make one with "kennel agent create --id NAME".'
        : [columnsText(['ID', 'NAME', 'STATE', 'MODEL', 'HANDLE'], rows), ...(running ? [] : [notRunning])];
    show(flags.json === true, { running, agents }, text);
    return exitOk;
  });
}

function describe(detail: AgentDetail, running: boolean): string {
  const rows: [string, string][] = [
    ['Name', detail.displayName],
    ['Role', detail.role || '(none)'],
    [
      'State',
      `${stateOf(detail, running).text}${detail.activity ? `, ${englishText(detail.activity)}` : ''}`,
    ],
    ['Handle', detail.slug ?? '(not registered)'],
    ['Server', detail.serverUrl ? `${detail.serverUrl} (${detail.connection})` : '(none)'],
    ['Model', `${detail.runtimeKind}, ${modelWords(detail)}`],
    ['Messages', String(detail.messageCount)],
    ['Folder', detail.folder],
  ];
  for (const error of [detail.error, detail.configError]) {
    if (error) rows.push(['Problem', errorLines(error, ' '.repeat(15))]);
  }
  for (const [reason, count] of Object.entries(detail.refused))
    rows.push(['Refused', `${count} (${reason})`]);
  return [detail.id, ...rows.map(([name, value]) => `  ${name.padEnd(12)} ${value}`)].join('\n');
}

async function runShow(args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call, running }) => {
    const detail = await call('agents.get', { agent: args[0] ?? '' });
    show(flags.json === true, detail, describe(detail, running));
    return exitOk;
  });
}

async function runRename(args: readonly string[], flags: Flags): Promise<number> {
  const [agent = '', displayName = ''] = args;
  if (displayName.trim() === '') throw usageError('The new name is empty.');
  return withHost('files', async ({ call }) => {
    const renamed = await call('agents.rename', { agent, displayName });
    show(flags.json === true, renamed, `${renamed.id} is now called ${renamed.displayName}.`);
    return exitOk;
  });
}

const withIdentity = (agent: string, flags: Flags) => ({
  agent,
  ...(flags.keepIdentity === true ? { keepIdentity: true } : {}),
});

const runVerb =
  (verb: 'pause' | 'resume' | 'restart' | 'archive') =>
  async (args: readonly string[], flags: Flags): Promise<number> => {
    const agent = args[0] ?? '';
    return withHost(verb === 'restart' ? 'running-host' : 'files', async ({ call, running }) => {
      if (verb === 'archive') {
        const { path } = await call('agents.archive', withIdentity(agent, flags));
        show(flags.json === true, { agent, path }, `Archived ${agent} to ${path}.`);
        return exitOk;
      }
      const changed = await call(`agents.${verb}`, { agent });
      show(flags.json === true, changed, oneLine(changed, running));
      return exitOk;
    });
  };

async function runDelete(args: readonly string[], flags: Flags & { yes?: boolean }): Promise<number> {
  const agent = args[0] ?? '';
  if (!flags.yes) {
    if (!canAsk()) throw usageError('Deleting cannot be undone.', 'Add --yes to say that you mean it.');
    const typed = await askInTerminal(
      `This deletes ${agent}, its keys and messages for good. Type its id to go on: `,
    );
    if (typed !== agent) throw new CommandFailure({ code: 'cancelled', message: 'Nothing was deleted.' });
  }
  return withHost('files', async ({ call }) => {
    await call('agents.delete', withIdentity(agent, flags));
    show(flags.json === true, { agent, deleted: true }, `Deleted ${agent}.`);
    return exitOk;
  });
}

const keepIdentity = {
  flags: '--keep-identity',
  summary: 'it continues elsewhere: do not leave spaces, do not end its identity',
};

const list = defineCommand({
  verb: 'list',
  summary: 'List all agents with their state',
  examples: [
    ['agent list', 'List all agents'],
    ['agent list --json', 'Print all fields as JSON'],
    ['agent list --json | jq -r \'.agents[] | select(.dot=="error").id\'', 'Print failed agents'],
  ],
  run: runList,
});

const showAgent = defineCommand({
  verb: 'show',
  args: '<agent>',
  summary: 'Show an agent',
  examples: [
    ['agent show guide', 'Show an agent'],
    ['agent show guide --json', 'Print all fields as JSON'],
    ["agent show guide --json | jq -r '.folder'", 'Print its folder'],
  ],
  run: runShow,
});

const rename = defineCommand({
  verb: 'rename',
  args: '<agent> <name>',
  summary: 'Change the name that people see',
  examples: [
    ['agent rename guide "Garden guide"', 'Rename an agent'],
    ['agent rename guide Guide --json', 'Print the agent as JSON'],
    ['agent list', 'See all names'],
  ],
  run: runRename,
});

const pause = defineCommand({
  verb: 'pause',
  args: '<agent>',
  summary: 'Pause an agent',
  examples: [
    ['agent pause guide', 'Let an agent answer nothing'],
    ['agent resume guide', 'Resume it'],
    ['agent pause guide --json', 'Print the agent as JSON'],
  ],
  run: runVerb('pause'),
});

const resume = defineCommand({
  verb: 'resume',
  args: '<agent>',
  summary: 'Resume a paused agent',
  examples: [
    ['agent resume guide', 'Resume an agent'],
    ['agent show guide', 'See its state'],
    ['agent resume guide --json', 'Print the agent as JSON'],
  ],
  run: runVerb('resume'),
});

const restart = defineCommand({
  verb: 'restart',
  args: '<agent>',
  summary: 'Restart an agent',
  examples: [
    ['agent restart guide', 'Restart an agent that failed'],
    ['logs guide', 'See why it failed'],
    ['agent restart guide --json', 'Print the agent as JSON'],
  ],
  run: runVerb('restart'),
});

const archive = defineCommand({
  verb: 'archive',
  args: '<agent>',
  summary: 'Archive an agent: end its identity and keep its files',
  options: [keepIdentity],
  examples: [
    ['agent archive guide', 'Archive an agent'],
    ['agent archive guide --keep-identity', 'Archive it here, because it moved elsewhere'],
    ["agent archive guide --json | jq -r '.path'", 'Print the folder with its files'],
  ],
  run: runVerb('archive'),
});

const remove = defineCommand({
  verb: 'delete',
  args: '<agent>',
  summary: 'Delete an agent and all its files',
  options: [{ flags: '--yes', summary: 'do not ask' }, keepIdentity],
  examples: [
    ['agent delete guide', 'Delete an agent after a question'],
    ['agent delete guide --yes', 'Delete it without a question'],
    ['agent archive guide', 'Keep its files instead'],
  ],
  run: runDelete,
});

export const agentCommands: readonly CommandSpec[] = [
  list,
  showAgent,
  createAgentCommand,
  editCommand,
  profileCommand,
  runtimeCommand,
  rename,
  pause,
  resume,
  restart,
  stopAgentCommand,
  toolsCommand,
  shareCommand,
  registerCommand,
  autoAcceptCommand,
  exportCommand,
  archive,
  remove,
  refreshPingCommand,
  resetPrimerCommand,
];
