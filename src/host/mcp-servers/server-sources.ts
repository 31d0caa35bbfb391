import { homedir } from 'node:os';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { hasServer, readMcpFile, withEntry, yamlServers } from '../../core/agents/mcp-servers.ts';
import { utf8 } from '../../core/lib/bytes.ts';
import { type McpServerConfig, mcpServerConfigSchema } from '../../core/mcp/server-config.ts';
import type { DiskPort } from '../../core/ports.ts';
import type { ConfinedFiles } from '../../core/tools/confined-files.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { readFileText } from '../../services/tools/files/file-text.ts';
import { configInForce } from '../agents/agent-view.ts';
import { type AgentFolders, workspaceFiles } from '../fleet/agent-folders.ts';
import { type ProgramFile, type ProgramFilesDeps, readProgramFiles } from './program-files.ts';
import { type ServerSource, type ServerSpec, serverNamePattern, serverSpec } from './server-specs.ts';

/** An entry that cannot be used. */
export interface InvalidServer {
  readonly name: string;
  readonly agentId: string | null;
  /** First mistake, as the schema reports it. */
  readonly why: string;
}

export interface ConfiguredServers {
  /** By name. */
  readonly specs: readonly ServerSpec[];
  readonly invalid: readonly InvalidServer[];
}

/** Where servers are configured: `mcp.json` of the data folder, `agent.yml`, and `.mcp.json` of a workspace. */
export interface ServerSources {
  /** Servers of an agent, which come before shared ones of the same name; with `null` the shared ones alone. */
  list(agent: LoadedAgent | null): Promise<Result<ConfiguredServers>>;
  /** The files of the server's code that an agent can change, as they are now. */
  files(spec: Pick<ServerSpec, 'config' | 'folder'>): Promise<readonly ProgramFile[]>;
  /** Adds, replaces or, with `null`, removes an entry of `mcp.json` or of the agent's `.mcp.json`. */
  change(agent: LoadedAgent | null, name: string, config: McpServerConfig | null): Promise<Result<void>>;
}

export interface ServerSourcesDeps {
  readonly disk: DiskPort;
  /** `mcp.json` of the data folder. */
  readonly path: string;
  readonly folders: Pick<AgentFolders, 'roots'>;
  readonly programs: ProgramFilesDeps;
}

const workspaceFile = '.mcp.json';
const maxBytes = 1024 * 1024;
/** Connects an agent program to the team chat; it is Kennel's own. */
const ownServer = 'puffo';

type Entries = Readonly<Record<string, unknown>>;
type At = Pick<ServerSpec, 'agentId' | 'source' | 'folder'>;

function collect(entries: Entries, at: At, into: Map<string, ServerSpec | InvalidServer>): void {
  for (const [name, entry] of Object.entries(entries)) {
    if (name === ownServer) continue;
    if (!serverNamePattern.test(name)) {
      into.set(name, { name, agentId: at.agentId, why: 'not a name of letters, digits, spaces, _ and -' });
      continue;
    }
    const parsed = mcpServerConfigSchema.safeParse(entry);
    const [issue] = parsed.error?.issues ?? [];
    const why = issue ? `${issue.path.join('.')} ${issue.message}`.trim() : '';
    into.set(
      name,
      parsed.success ? serverSpec({ ...at, name }, parsed.data) : { name, agentId: at.agentId, why },
    );
  }
}

export function createServerSources({ disk, path, folders, programs }: ServerSourcesDeps): ServerSources {
  const files: ServerSources['files'] = async ({ config, folder }) =>
    config.type === 'stdio' ? readProgramFiles(config, folder, programs) : [];
  const shared = () => {
    const text = disk.readText(path, maxBytes);
    return text.ok ? readMcpFile(text.value) : text;
  };
  const cwdOf = (agent: LoadedAgent): string => folders.roots(agent, configInForce(agent)).cwd;
  const own = async (files: ConfinedFiles) => {
    const text = await readFileText(files, workspaceFile);
    // An agent without a workspace has no file in it.
    if (!text.ok && text.error.code !== 'not_found') return text;
    const file = readMcpFile(text.ok ? text.value : null);
    return file.ok ? ok({ text: text.ok ? text.value : null, file: file.value }) : file;
  };
  const changeShared = (name: string, config: McpServerConfig | null): Result<void> => {
    const file = shared();
    if (!file.ok) return file;
    if (config === null && !hasServer(file.value, name)) return err(unknownServer(name));
    return disk.write(path, withEntry(file.value, name, config));
  };
  const changeOwn = async (
    cwd: string,
    name: string,
    config: McpServerConfig | null,
  ): Promise<Result<void>> => {
    const files = workspaceFiles(cwd);
    const found = await own(files);
    if (!found.ok) return found;
    const { text, file } = found.value;
    if (config === null && !hasServer(file, name)) return err(unknownServer(name));
    const next = utf8(withEntry(file, name, config));
    const written = await files.write(workspaceFile, next, text === null ? 'create' : 'replace');
    return written.ok ? ok(undefined) : written;
  };
  return {
    files,
    async list(agent) {
      const found = new Map<string, ServerSpec | InvalidServer>();
      const common = shared();
      if (!common.ok) return common;
      collect(common.value.mcpServers, { agentId: null, source: 'shared', folder: homedir() }, found);
      if (agent) {
        const folder = cwdOf(agent);
        const at = (source: ServerSource): At => ({ agentId: agent.id, source, folder });
        collect(yamlServers(configInForce(agent).mcp_servers), at('agent'), found);
        const file = await own(workspaceFiles(folder));
        if (!file.ok) return file;
        collect(file.value.file.mcpServers, at('workspace'), found);
      }
      const all = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      return ok({
        specs: await Promise.all(
          all
            .filter((one) => 'key' in one)
            .map(async (spec) => serverSpec(spec, spec.config, await files(spec))),
        ),
        invalid: all.filter((one) => 'why' in one),
      });
    },
    async change(agent, name, config) {
      if (name === ownServer) return err(fail('conflict', 'mcpServers.ownName', { name }));
      return agent ? changeOwn(cwdOf(agent), name, config) : changeShared(name, config);
    },
  };
}

export const unknownServer = (name: string) =>
  fail('not_found', 'mcpServers.unknown', { name }, { help: 'mcpServers.runList' });
