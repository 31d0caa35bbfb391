import { errorLines } from '../../contract/error-text.ts';
import type { AgentDetail, AgentSummary } from '../../contract/model.ts';
import { columns } from '../columns.ts';
import { withHost } from '../session.ts';
import { askInTerminal, CommandFailure, canAsk, exitOk, show, usage } from '../terminal.ts';

interface Flags {
  readonly json?: boolean;
  readonly keepIdentity?: boolean;
}

const lifeWords: Record<AgentSummary['life'], string> = {
  starting: 'starting',
  running: 'running',
  paused: 'paused',
  not_connected: 'not connected',
  backing_off: 'failed, will restart',
  gave_up: 'gave up',
  stopping: 'stopping',
  broken: 'unreadable config',
};

/** Without a running host every agent is stopped. */
const lifeOf = ({ life }: AgentSummary, running: boolean): string =>
  life === 'starting' && !running ? 'stopped' : lifeWords[life];

const notRunning = 'Kennel is not running, so no agent works now. Start it with "kennel start".';

const modelWords = (agent: AgentSummary): string =>
  agent.scripted ? 'scripted (not a model)' : `${agent.provider} ${agent.model}`.trim();

function oneLine(agent: AgentSummary, running: boolean): string {
  const line = `${agent.id} is ${lifeOf(agent, running)}.`;
  return agent.life === 'starting' && !running ? `${line} It starts with Kennel: "kennel start".` : line;
}

export async function runList(_args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call, running }) => {
    const { agents } = await call('agents.list', {});
    const head = ['ID', 'NAME', 'LIFE', 'DOT', 'MODEL', 'SLUG'];
    const rows = agents.map((agent) => [
      agent.id,
      agent.displayName,
      agent.configError && agent.life !== 'broken'
        ? `${lifeOf(agent, running)}, unreadable config`
        : lifeOf(agent, running),
      agent.dot.replace('_', ' '),
      modelWords(agent),
      agent.slug ?? '-',
    ]);
    const text =
      agents.length === 0
        ? 'No agents yet. Make one with "kennel agent create --id NAME".'
        : [columns([head, ...rows]), ...(running ? [] : [notRunning])].join('\n');
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
      `${lifeOf(detail, running)}, ${detail.dot.replace('_', ' ')}${detail.activity ? `, ${detail.activity}` : ''}`,
    ],
    ['Slug', detail.slug ?? '(not registered)'],
    ['Server', detail.serverUrl ? `${detail.serverUrl} (${detail.connection})` : '(none)'],
    ['Thinks with', `${detail.runtimeKind}, ${modelWords(detail)}`],
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

export async function runShow(args: readonly string[], flags: Flags): Promise<number> {
  return withHost('look', async ({ call, running }) => {
    const detail = await call('agents.get', { agent: args[0] ?? '' });
    show(flags.json === true, detail, describe(detail, running));
    return exitOk;
  });
}

export async function runRename(args: readonly string[], flags: Flags): Promise<number> {
  const [agent = '', displayName = ''] = args;
  if (displayName.trim() === '') throw usage('The new name is empty.');
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

export const runVerb =
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

export async function runDelete(args: readonly string[], flags: Flags & { yes?: boolean }): Promise<number> {
  const agent = args[0] ?? '';
  if (!flags.yes) {
    if (!canAsk()) throw usage('Deleting cannot be undone.', 'Add --yes to say that you mean it.');
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
