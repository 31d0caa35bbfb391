import type { McpServerDetail, McpServerView } from '../../contract/mcp-server-methods.ts';
import type { MethodInput } from '../../contract/methods.ts';
import { cliMessage } from '../../language/cli-message.ts';
import { type CommandSpec, defineCommand } from '../command.ts';
import { copy } from '../copy.ts';
import { type HostSession, withHost } from '../host-call.ts';
import { columnsText, flatLines, type StateCell, type TableCell } from '../table.ts';
import {
  askSecret,
  askYes,
  canAsk,
  commandFailure,
  exitOk,
  refuseTypedSecret,
  show,
  usageError,
} from '../terminal.ts';
import { visibleTerminalLine, visibleText } from '../visible-text.ts';
import { shownTime } from '../when.ts';
import { mcpImport } from './mcp-import.ts';

export interface McpFlags {
  readonly json?: boolean;
  readonly agent?: string;
  readonly yes?: boolean;
}

const ownerOf = ({ agent }: McpFlags) => (agent === undefined ? {} : { agent });

const tones: Readonly<Record<McpServerView['state'], StateCell['tone']>> = {
  running: 'good',
  stopped: 'quiet',
  starting: 'busy',
  waiting: 'attention',
  unaccepted: 'attention',
  refused: 'quiet',
  failed: 'bad',
};

const stateCell = ({ state }: McpServerView): StateCell => ({
  text: copy(`cliMcp.state_${state}`),
  tone: tones[state],
});

const firstLine = (text: string): string => visibleTerminalLine(text.split('\n')[0] ?? '');

async function runList(_args: readonly string[], flags: McpFlags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const listed = await call('mcpServers.list', ownerOf(flags));
    const rows = listed.servers.map((server): readonly TableCell[] => [
      server.name,
      server.agent ?? copy('cliMcp.allAgents'),
      stateCell(server),
      server.tools === null ? '' : `${server.tools}`,
      firstLine(server.launch),
    ]);
    const heads = [
      copy('cliHeads.name'),
      copy('cliHeads.agent'),
      copy('cliHeads.state'),
      copy('cliMcp.tools'),
      copy('cliMcp.command'),
    ];
    const broken = listed.invalid.map(({ name, mistake }) =>
      copy('cliMcp.invalid', { name, why: visibleTerminalLine(mistake) }),
    );
    show(flags.json === true, listed, [
      rows.length === 0 ? copy('cliMcp.none') : columnsText(heads, rows),
      ...(broken.length === 0 ? [] : ['', ...broken]),
    ]);
    return exitOk;
  });
}

/** Asks for a yes to what was shown; `--yes` skips the question. */
async function agreed(question: string, { yes }: McpFlags): Promise<boolean> {
  if (yes === true) return true;
  return canAsk() && askYes(question);
}

/** Shows the exact command, and accepts it after a yes. */
export async function acceptShown(
  { call }: HostSession,
  server: McpServerView,
  flags: McpFlags,
): Promise<McpServerView> {
  if (flags.json !== true) process.stdout.write(`${visibleText(server.launch)}\n\n`);
  if (!(await agreed(copy(server.isLocal ? 'cliMcp.mayStart' : 'cliMcp.mayConnect'), flags))) return server;
  return call('mcpServers.accept', { ...ownerOf(flags), name: server.name, hash: server.hash });
}

interface AddFlags extends McpFlags {
  readonly url?: string;
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly secret?: readonly string[];
  readonly allowTool?: readonly string[];
  readonly denyTool?: readonly string[];
  readonly replace?: boolean;
}

function pairs(flag: string, given: readonly string[] = []): Record<string, string> {
  const found = given.map((pair): [string, string] => {
    const at = pair.indexOf('=');
    if (at < 1) throw usageError(cliMessage('cliMcp.takesPair', { flag }));
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return Object.fromEntries(found);
}

/** Values that must not be in the command line are asked for, or taken from Kennel's environment in scripts. */
async function secretsOf(names: readonly string[] = []): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of names) {
    if (name.includes('=')) refuseTypedSecret(name, '--secret');
    const value = canAsk() ? (await askSecret(`${name}: `)).trim() : (process.env[name] ?? '');
    if (value === '') throw commandFailure('invalid_input', 'cliMcp.noSecret', { name });
    found[name] = value;
  }
  return found;
}

function entryOf(
  [command, ...args]: readonly string[],
  { url, env, header, allowTool = [], denyTool = [] }: AddFlags,
): MethodInput<'mcpServers.add'>['entry'] {
  if ((url === undefined) === (command === undefined)) throw usageError(cliMessage('cliMcp.commandOrUrl'));
  const allow = allowTool.length === 0 ? {} : { allow: allowTool };
  const filter =
    allowTool.length + denyTool.length === 0 ? {} : { tool_filter: { ...allow, deny: denyTool } };
  return url === undefined
    ? { type: 'stdio', command, args, env: pairs('--env', env), ...filter }
    : { type: 'http', url, headers: pairs('--header', header), ...filter };
}

async function runAdd([name = '', ...command]: readonly string[], flags: AddFlags): Promise<number> {
  const entry = entryOf(command, flags);
  const secrets = await secretsOf(flags.secret);
  return withHost('files', async (session) => {
    const replace = flags.replace === true;
    const added = await session.call('mcpServers.add', { ...ownerOf(flags), name, entry, secrets, replace });
    const server = await acceptShown(session, added, flags);
    const isReady = server.state !== 'unaccepted' && server.state !== 'refused';
    show(flags.json === true, server, copy(isReady ? 'cliMcp.added' : 'cliMcp.addedUnaccepted', { name }));
    return exitOk;
  });
}

async function runAccept([name = '']: readonly string[], flags: McpFlags): Promise<number> {
  return withHost('files', async (session) => {
    const ref = { ...ownerOf(flags), name };
    const found = await session.call('mcpServers.show', ref);
    const isAccepted = found.state !== 'unaccepted' && found.state !== 'refused';
    const server = isAccepted ? found : await acceptShown(session, found, flags);
    const { changes } = found;
    if (changes && flags.json !== true) process.stdout.write(`${visibleText(changes.diff)}\n\n`);
    if (changes && (await agreed(copy('cliMcp.acceptTools'), flags))) {
      const accepted = await session.call('mcpServers.acceptTools', { ...ref, digest: changes.digest });
      show(flags.json === true, accepted, copy('cliMcp.toolsAccepted', { name }));
      return exitOk;
    }
    const isReady = server.state !== 'unaccepted' && server.state !== 'refused';
    if (!isReady) throw commandFailure('cancelled', 'cliTerminal.nothingChanged');
    show(flags.json === true, server, copy('cliMcp.accepted', { name }));
    return exitOk;
  });
}

async function runTest([name = '']: readonly string[], flags: McpFlags): Promise<number> {
  return withHost('files', async ({ call }) => {
    const begun = Date.now();
    const server = await call('mcpServers.start', { ...ownerOf(flags), name });
    const count = server.accepted.length;
    show(
      flags.json === true,
      server,
      copy('cliMcp.works', { name, count, protocol: server.protocol ?? '', ms: Date.now() - begun }),
    );
    return exitOk;
  });
}

function detailLines(server: McpServerDetail): readonly string[] {
  const calls = server.calls.map(
    ({ at, tool, agent, ms, outcome }) =>
      `  ${shownTime(at)}  ${tool}  ${agent ?? copy('cliMcp.you')}  ${Math.round(ms)} ms  ${copy(`cliMcp.outcome_${outcome}`)}`,
  );
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', title, ...lines];
  return [
    ...flatLines([
      [copy('cliHeads.state'), stateCell(server).text],
      [copy('cliHeads.agent'), server.agent ?? copy('cliMcp.allAgents')],
      ...(server.reason === '' ? [] : [[copy('cliMcp.reason'), visibleTerminalLine(server.reason)] as const]),
      ...(server.authorizePage === null ? [] : [[copy('cliMcp.authorize'), server.authorizePage] as const]),
    ]),
    ...section(
      copy('cliMcp.command'),
      server.launch.split('\n').map((line) => `  ${visibleTerminalLine(line)}`),
    ),
    ...section(
      copy('cliMcp.tools'),
      server.accepted.map(({ name, description }) => `  ${name}  ${firstLine(description).slice(0, 100)}`),
    ),
    ...section(copy('cliMcp.changedTools'), server.changes ? [visibleText(server.changes.diff)] : []),
    ...section(copy('cliMcp.lastCalls'), calls),
    ...section(
      copy('cliMcp.log'),
      server.log.slice(-20).map((line) => `  ${line}`),
    ),
  ];
}

async function runInspect([name = '']: readonly string[], flags: McpFlags): Promise<number> {
  return withHost('look', async ({ call }) => {
    const server = await call('mcpServers.show', { ...ownerOf(flags), name });
    show(flags.json === true, server, detailLines(server));
    return exitOk;
  });
}

async function runRemove([name = '']: readonly string[], flags: McpFlags): Promise<number> {
  return withHost('files', async ({ call }) => {
    await call('mcpServers.remove', { ...ownerOf(flags), name });
    show(flags.json === true, {}, copy('cliMcp.removed', { name }));
    return exitOk;
  });
}

const agentOption = { flags: '--agent <agent>' } as const;
const yesOption = { flags: '--yes' } as const;

export const mcpServerCommands: readonly CommandSpec[] = [
  defineCommand({
    verb: 'list',
    options: [agentOption],
    examples: ['mcp list', 'mcp list --agent guide', 'mcp list --json'],
    run: runList,
  }),
  defineCommand({
    verb: 'add',
    args: '<name> [command...]',
    options: [
      agentOption,
      { flags: '--url <address>' },
      { flags: '--env <name=value>', isRepeatable: true },
      { flags: '--header <name=value>', isRepeatable: true },
      { flags: '--secret <name>', isRepeatable: true },
      { flags: '--allow-tool <name>', isRepeatable: true },
      { flags: '--deny-tool <name>', isRepeatable: true },
      { flags: '--replace' },
      yesOption,
    ],
    examples: [
      'mcp add memory -- mcp-server-memory',
      'mcp add search --url https://mcp.example.com/mcp --agent guide',
      'mcp add tracker --secret API_TOKEN -- npx -y some-server',
    ],
    run: runAdd,
  }),
  defineCommand({
    verb: 'accept',
    args: '<name>',
    options: [agentOption, yesOption],
    examples: ['mcp accept memory', 'mcp accept memory --agent guide', 'mcp accept memory --yes --json'],
    run: runAccept,
  }),
  defineCommand({
    verb: 'test',
    args: '<name>',
    options: [agentOption],
    examples: ['mcp test memory', 'mcp test memory --agent guide', 'mcp test memory --json'],
    run: runTest,
  }),
  defineCommand({
    verb: 'inspect',
    args: '<name>',
    options: [agentOption],
    examples: ['mcp inspect memory', 'mcp inspect memory --agent guide', 'mcp inspect memory --json'],
    run: runInspect,
  }),
  defineCommand({
    verb: 'remove',
    args: '<name>',
    options: [agentOption],
    examples: ['mcp remove memory', 'mcp remove memory --agent guide', 'mcp remove memory --json'],
    run: runRemove,
  }),
  mcpImport,
];
