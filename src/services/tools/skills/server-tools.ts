/**
 * MCP servers as tools (spec §7): an agent adds and removes its own in `.mcp.json` of its workspace. These
 * tools start nothing; the operator sees the whole command to be started, and it is never allowed
 * automatically.
 */
import { z } from 'zod';
import { fail } from '../../../contract/fail.ts';
import { err, ok, type Result } from '../../../contract/result.ts';
import { type RuntimeKind, runtimeKindFacts } from '../../../contract/runtime-kinds.ts';
import {
  commandLineOf,
  hasServer,
  looksLikeHost,
  type McpFile,
  readMcpFile,
  withServer,
} from '../../../core/agents/mcp-servers.ts';
import { skillName } from '../../../core/agents/skills.ts';
import { utf8 } from '../../../core/lib/bytes.ts';
import { unifiedDiff } from '../../../core/lib/unified-diff.ts';
import type { Assessment, CallPreview } from '../../../core/policy/assessment.ts';
import type { ConfinedFiles } from '../../../core/tools/confined-files.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import {
  blockedBy,
  failureOutput,
  previewBody,
  textOutput,
  toolErrorOutput,
} from '../../../core/tools/output.ts';
import type { Tool } from '../../../core/tools/tool.ts';
import { say } from '../../../language/say.ts';
import { readFileText } from '../files/file-text.ts';
import { changedMeanwhile, contentKey, createSeenBefore } from '../files/seen-before.ts';
import { plainName } from '../files/shown-path.ts';
import type { InstalledRecord } from './installed.ts';

export interface ServerToolDeps {
  readonly files: ConfinedFiles;
  readonly record: InstalledRecord;
  /** `runtime.kind` of agent.yml. */
  kind(): RuntimeKind;
  /** Names of the servers configured for the agent outside its workspace. */
  systemServers(): readonly string[];
}

const path = '.mcp.json';
const where = say('approvals.itsServers');
/** The server that connects the agent to the team. */
const taken = ['puffo'];

const name = z
  .string()
  .regex(skillName, 'up to 64 small letters, digits and "-", not beginning with "-"')
  .describe('Name of the server');
const short = z.string().max(4_000);
const inputs = {
  none: z.strictObject({}),
  name: z.strictObject({ name }),
  install: z.strictObject({
    name,
    command: z.string().min(1).max(1_000).describe('The program that is the server, without arguments'),
    args: z.array(short).max(100).nullish().describe('Its arguments'),
    env: z.record(z.string().min(1).max(200), short).nullish().describe('Its environment'),
  }),
};

const common = { group: 'puffo', core: false, timeoutMs: 30_000 } as const;
const changes = { ...common, executionMode: 'sequential', replay: 'safe' } as const;

interface Plan {
  readonly before: string | null;
  readonly after: string;
}

const notYours = (server: string) =>
  fail('conflict', 'tools.serverNotYours', { server }, { help: 'tools.useListMcpServers' });
const hostOnly = fail('forbidden', 'tools.commandNotPortable', {}, { help: 'tools.nameProgram' });

interface Found {
  readonly text: string | null;
  readonly file: McpFile;
}

async function readFile(files: ConfinedFiles): Promise<Result<Found>> {
  const text = await readFileText(files, path);
  if (!text.ok) return text;
  const file = readMcpFile(text.value);
  return file.ok ? ok({ text: text.value, file: file.value }) : file;
}

/** The new content of the file; fails if the entry is not the agent's own. */
async function planFor(
  { files, record, kind, systemServers }: ServerToolDeps,
  server: string,
  entry: z.output<typeof inputs.install> | null,
): Promise<Result<Plan>> {
  const found = await readFile(files);
  if (!found.ok) return found;
  const { text: before, file } = found.value;
  const mine = record.servers().has(server);
  const there = hasServer(file, server);
  if (taken.includes(server) || systemServers().includes(server) || (there && !mine))
    return err(notYours(server));
  if (entry === null) {
    return there
      ? ok({ before, after: withServer(file, server, null) })
      : err(fail('not_found', 'tools.unknownServer', { server }));
  }
  const { command, args, env } = entry;
  const full = { command, args: args ?? [], env: env ?? {} };
  if (!runtimeKindFacts(kind()).runsOnHost && looksLikeHost(full)) return err(hostOnly);
  return ok({ before, after: withServer(file, server, full) });
}

function changeTool(
  deps: ServerToolDeps,
  facts: Pick<Tool, 'name' | 'description'> & {
    readonly title: 'actions.installServer' | 'actions.removeServer';
    readonly done: string;
  },
  input: z.ZodObject,
  entryOf: (args: Record<string, unknown>) => z.output<typeof inputs.install> | null,
): Tool {
  const { files, record } = deps;
  const seen = createSeenBefore();
  const { title, done, ...named } = facts;
  const nameOf = (args: Record<string, unknown>): string => String(args.name);
  return defineTool({
    ...changes,
    ...named,
    input,
    async assess(args, context): Promise<Assessment> {
      const server = nameOf(args);
      const preview: CallPreview = { kind: 'diff', title: say(title, { name: server }), body: '', where };
      const planned = await planFor(deps, server, entryOf(args));
      if (!planned.ok) return blockedBy(planned.error, preview);
      const { before, after } = planned.value;
      seen.note(contentKey(context, server), path, before, context.anew);
      return {
        risk: 'high',
        effects: [{ kind: 'write', path: `${files.roots.cwd}/${path}` }],
        preview: { ...preview, ...previewBody(unifiedDiff(before ?? '', after)) },
      };
    },
    async execute(args, context) {
      const server = nameOf(args);
      const entry = entryOf(args);
      const planned = await planFor(deps, server, entry);
      if (!planned.ok) return failureOutput(planned.error);
      const { before, after } = planned.value;
      if (!seen.stillSo(contentKey(context, server), path, before)) return toolErrorOutput(changedMeanwhile);
      // Recorded first, so that after a crash the entry is the agent's to repair.
      const noted = entry === null ? ok(undefined) : record.server(server, true);
      if (!noted.ok) return failureOutput(noted.error);
      const written = await files.write(path, utf8(after), before === null ? 'create' : 'replace');
      if (!written.ok) return failureOutput(written.error);
      const forgotten = entry === null ? record.server(server, false) : ok(undefined);
      return forgotten.ok ? textOutput(`${done} "${server}".`) : failureOutput(forgotten.error);
    },
  });
}

function createListTool({ files, record, systemServers }: ServerToolDeps): Tool {
  return defineTool({
    ...common,
    replay: 'safe',
    name: 'list_mcp_servers',
    input: inputs.none,
    description:
      'The MCP servers set up for you. Those marked "agent" you installed yourself; those marked "system" were set up for you.',
    assess: () => ({
      risk: 'low',
      effects: [],
      preview: { kind: 'text', title: say('actions.listServers'), body: 'list its MCP servers', where },
    }),
    async execute() {
      const found = await readFile(files);
      if (!found.ok) return failureOutput(found.error);
      const mine = record.servers();
      const own = Object.entries(found.value.file.mcpServers).map(
        ([each, entry]) =>
          `${plainName(each)} (${mine.has(each) ? 'agent' : 'system'}): ${plainName(commandLineOf(entry))}`,
      );
      const system = systemServers().map((each) => `${plainName(each)} (system)`);
      return textOutput([...own, ...system].join('\n') || '[No MCP servers.]');
    },
  });
}

export const createServerTools = (deps: ServerToolDeps): readonly Tool[] => [
  changeTool(
    deps,
    {
      name: 'install_mcp_server',
      description:
        'Sets up an MCP server for yourself, new or in place of one you installed. It counts where your runtime starts such servers, from its next start on.',
      title: 'actions.installServer',
      done: 'Installed',
    },
    inputs.install,
    (args) => inputs.install.parse(args),
  ),
  changeTool(
    deps,
    {
      name: 'uninstall_mcp_server',
      description: 'Removes an MCP server that you installed.',
      title: 'actions.removeServer',
      done: 'Removed',
    },
    inputs.name,
    () => null,
  ),
  createListTool(deps),
];
