import { type AppError, hintOf, messageOf, textError } from '../../contract/errors.ts';
import type { AgentDetail, AgentSummary } from '../../contract/model.ts';
import { cliMessage } from '../../language/cli-message.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy, shown, shownError } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { labelledLines } from '../table.ts';
import {
  askInTerminal,
  CommandFailure,
  canAsk,
  commandFailure,
  exitOk,
  show,
  showFailure,
} from '../terminal.ts';
import { createAgentCommand } from './agent-create.ts';
import { editCommand, profileCommand } from './agent-edit.ts';
import { agentStateCell, lifeOf, listAgentsCommand, modelWords } from './agent-list.ts';
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

function oneLine(agent: AgentSummary, running: boolean): string {
  const line = copy('cliAgents.isInState', { agent: agent.id, state: lifeOf(agent, running) });
  return agent.life === 'starting' && !running ? copy('cliAgents.startsWithKennel', { line }) : line;
}

function describe(detail: AgentDetail, running: boolean): string {
  const rows: [string, string][] = [
    [copy('cliAgents.label_name'), detail.displayName],
    [copy('cliAgents.label_role'), detail.role || copy('cliValues.none')],
    [
      copy('cliAgents.label_state'),
      `${agentStateCell(detail, running).text}${detail.activity ? `, ${shown(detail.activity)}` : ''}`,
    ],
    [copy('cliAgents.label_handle'), detail.slug ?? copy('cliAgents.notRegistered')],
    [
      copy('cliAgents.label_server'),
      detail.serverUrl
        ? `${detail.serverUrl} (${copy(`cliStatus.connection_${detail.connection}`)})`
        : copy('cliValues.none'),
    ],
    [copy('cliAgents.label_model'), `${detail.runtimeKind}, ${modelWords(detail)}`],
    [copy('cliAgents.label_messages'), String(detail.messageCount)],
    [copy('cliAgents.label_folder'), detail.folder],
  ];
  for (const error of [detail.error, detail.configError]) {
    if (error) rows.push([copy('cliAgents.label_problem'), shownError(error, ' '.repeat(15))]);
  }
  for (const [reason, count] of Object.entries(detail.refused))
    rows.push([copy('cliAgents.label_refused'), `${count} (${reason})`]);
  return [detail.id, ...labelledLines(rows, 12)].join('\n');
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
  if (displayName.trim() === '') throw commandFailure('invalid_input', 'cliAgents.emptyName');
  return withHost('files', async ({ call }) => {
    const renamed = await call('agents.rename', { agent, displayName });
    show(
      flags.json === true,
      renamed,
      copy('cliAgents.renamed', { id: renamed.id, name: renamed.displayName }),
    );
    return exitOk;
  });
}

const withIdentity = (agent: string, flags: Flags) => ({
  agent,
  ...(flags.keepIdentity === true ? { keepIdentity: true } : {}),
});

type AgentVerb = 'pause' | 'resume' | 'restart' | 'archive';

/** One agent: its answer. */
async function changeAgent(
  { call, running }: HostSession,
  verb: AgentVerb,
  agent: string,
  flags: Flags,
): Promise<{ readonly json: unknown; readonly text: string }> {
  if (verb === 'archive') {
    const { path } = await call('agents.archive', withIdentity(agent, flags));
    return { json: { agent, path }, text: copy('cliAgents.archived', { agent, path }) };
  }
  const changed = await call(`agents.${verb}`, { agent });
  return { json: changed, text: oneLine(changed, running) };
}

/** The error with the agent before its message. */
const withAgent = (agent: string, error: AppError): AppError =>
  textError(error.code, cliMessage('cliAgents.failedFor', { agent, why: messageOf(error) }), {
    hint: hintOf(error),
    where: error.where,
  });

/** Several agents one after the other; a failure does not stop the others, and ends with its exit code. */
async function changeAgents(
  session: HostSession,
  verb: AgentVerb,
  agents: readonly string[],
  flags: Flags,
): Promise<number> {
  const done: unknown[] = [];
  const failed: { readonly agent: string; readonly error: AppError }[] = [];
  const lines: string[] = [];
  let exitCode = exitOk;
  for (const agent of agents) {
    try {
      const { json, text } = await changeAgent(session, verb, agent, flags);
      done.push(json);
      lines.push(text);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      failed.push({ agent, error: error.error });
      exitCode = error.exitCode;
    }
  }
  if (flags.json === true || lines.length > 0) show(flags.json === true, { agents: done, failed }, lines);
  if (flags.json !== true)
    for (const { agent, error } of failed) showFailure(false, withAgent(agent, error), exitCode);
  return exitCode;
}

const runVerb =
  (verb: AgentVerb) =>
  async (args: readonly string[], flags: Flags): Promise<number> =>
    withHost(verb === 'restart' ? 'running-host' : 'files', async (session) => {
      const agents = [...new Set(args)];
      if (agents.length > 1) return changeAgents(session, verb, agents, flags);
      const { json, text } = await changeAgent(session, verb, agents[0] ?? '', flags);
      show(flags.json === true, json, text);
      return exitOk;
    });

async function runDelete(args: readonly string[], flags: Flags & { yes?: boolean }): Promise<number> {
  const agent = args[0] ?? '';
  if (!flags.yes) {
    if (!canAsk())
      throw commandFailure('invalid_input', 'cliTerminal.cannotBeUndone', {}, { help: 'cliTerminal.addYes' });
    const typed = await askInTerminal(`${copy('cliAgents.deleteAsks', { agent })} `);
    if (typed !== agent) throw commandFailure('cancelled', 'cliTerminal.nothingDeleted');
  }
  return withHost('files', async ({ call }) => {
    await call('agents.delete', withIdentity(agent, flags));
    show(flags.json === true, { agent, deleted: true }, copy('cliAgents.deleted', { agent }));
    return exitOk;
  });
}

const keepIdentity = {
  flags: '--keep-identity',
};

const showAgent = defineCommand({
  verb: 'show',
  args: '<agent>',
  examples: ['agent show guide', 'agent show guide --json', "agent show guide --json | jq -r '.folder'"],
  run: runShow,
});

const rename = defineCommand({
  verb: 'rename',
  args: '<agent> <name>',
  examples: ['agent rename guide "Garden guide"', 'agent rename guide Guide --json', 'agent list'],
  run: runRename,
});

const pause = defineCommand({
  verb: 'pause',
  args: '<agent...>',
  examples: ['agent pause guide', 'agent pause guide checker', 'agent pause guide --json'],
  run: runVerb('pause'),
});

const resume = defineCommand({
  verb: 'resume',
  args: '<agent...>',
  examples: ['agent resume guide', 'agent resume guide checker', 'agent resume guide --json'],
  run: runVerb('resume'),
});

const restart = defineCommand({
  verb: 'restart',
  args: '<agent>',
  examples: ['agent restart guide', 'logs guide', 'agent restart guide --json'],
  run: runVerb('restart'),
});

const archive = defineCommand({
  verb: 'archive',
  args: '<agent...>',
  options: [keepIdentity],
  examples: [
    'agent archive guide',
    'agent archive guide checker',
    "agent archive guide --json | jq -r '.path'",
  ],
  run: runVerb('archive'),
});

const remove = defineCommand({
  verb: 'delete',
  args: '<agent>',
  options: [{ flags: '--yes' }, keepIdentity],
  examples: ['agent delete guide', 'agent delete guide --yes', 'agent archive guide'],
  run: runDelete,
});

export const agentCommands: readonly CommandSpec[] = [
  listAgentsCommand,
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
