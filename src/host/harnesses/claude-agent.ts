import { existsSync, mkdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { type HarnessView, harnessFacts } from '../../contract/harnesses.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { ModelChoice } from '../../core/models/choose-model.ts';
import type { FileRoots } from '../../core/policy/assessment.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import { askedTools, claudeTools, hostServer } from '../../core/runtimes/claude/claude-calls.ts';
import type {
  HarnessProcessPort,
  HarnessWall,
  ModelRelay,
  ModelRelayPort,
} from '../../core/runtimes/harness-ports.ts';
import type { ProgramAgentPort, ProgramSetup } from '../../core/runtimes/program/program-ports.ts';
import type { ProgramUndoDeps } from '../../core/runtimes/program/program-undo.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createConfinedFiles } from '../../services/tools/confined/confined-files.ts';
import { createHarnessShell } from '../../services/tools/shell/harness-shell.ts';
import { topmostMissing } from '../../services/tools/snapshots/scan.ts';
import type { AgentFolders } from '../fleet/agent-folders.ts';
import type { ModelAccess } from '../fleet/model-access.ts';
import type { HostPorts } from '../host-ports.ts';

export interface ClaudeAgentDeps {
  readonly env: HostPorts['env'];
  readonly clock: Clock;
  readonly disk: DiskPort;
  readonly folders: Pick<AgentFolders, 'ready'>;
  readonly models: Pick<ModelAccess, 'chooseFresh' | 'gate'>;
  readonly programs: ProgramAccess;
}

/** Processes of agent programs, and their access to models. */
export interface HarnessAccess {
  readonly processes: () => Promise<HarnessProcessPort>;
  readonly modelRelay: () => Promise<ModelRelayPort>;
  /** Restore points of what programs change in files. */
  readonly points: ProgramUndoDeps['points'];
}

interface ProgramAccess extends HarnessAccess {
  /** Where the program is, cached for a short time. */
  readonly find: () => Promise<{ readonly view: HarnessView; readonly path: string }>;
}

interface Start {
  readonly deps: ClaudeAgentDeps;
  readonly agent: LoadedAgent;
  readonly config: AgentConfig;
  readonly roots: FileRoots;
  readonly program: string;
  readonly path: string;
  /** `null`: the program uses the operator's login. */
  readonly choice: ModelChoice | null;
  readonly wallNetwork: HarnessWall['network'] | null;
}

const { title, installCommand, loginCommand } = harnessFacts('claude-code');

/** Own folders of the program, inside the agent's. */
const folderOf = (agent: Pick<LoadedAgent, 'folder'>): string => join(agent.folder, 'harness', 'claude-code');
const trustFile = (agent: Pick<LoadedAgent, 'folder'>): string => join(folderOf(agent), 'trusted.json');

export function createClaudeAgent(
  deps: ClaudeAgentDeps,
  agent: () => LoadedAgent | null,
  config: () => AgentConfig,
): ProgramAgentPort {
  return {
    async setup() {
      const loaded = agent();
      if (!loaded) return err(fail('not_found', 'agents.agentNotConnected'));
      const { view, path } = await deps.programs.find();
      if (view.program === null)
        return err(fail('not_found', 'agents.programMissing', { title, command: installCommand }));
      const choice = await modelOf(deps, loaded.id, config());
      if (choice === null && view.login === 'no')
        return err(fail('unauthenticated', 'agents.programLoggedOut', { title, command: loginCommand }));
      const processes = await deps.programs.processes();
      const hasWall = await processes.hasWalls();
      const isOpen = config().shell.network || choice === null;
      return ok(
        setupOf(
          {
            deps,
            agent: loaded,
            config: config(),
            roots: deps.folders.ready(loaded, config()),
            program: view.program,
            path,
            choice,
            wallNetwork: hasWall ? (isOpen ? 'open' : 'none') : null,
          },
          view.version ?? '',
        ),
      );
    },
    isTrusted() {
      const loaded = agent();
      const text = loaded && deps.disk.readText(trustFile(loaded), 1_000);
      return text?.ok === true && text.value !== null;
    },
    trust() {
      const loaded = agent();
      if (!loaded) return err(fail('not_found', 'agents.agentNotConnected'));
      return deps.disk.write(trustFile(loaded), `${JSON.stringify({ at: deps.clock.now() })}\n`);
    },
  };
}

/** `null` if Kennel has no model that the program can use; then it uses its own login. */
async function modelOf(
  { models }: ClaudeAgentDeps,
  agentId: string,
  config: AgentConfig,
): Promise<ModelChoice | null> {
  const choice = await models.chooseFresh(agentId, config);
  return choice.ok && choice.value.adapter === 'anthropic' && !choice.value.scripted ? choice.value : null;
}

function setupOf(start: Start, version: string): ProgramSetup {
  const { program, roots, choice, wallNetwork, config } = start;
  const sandbox = wallNetwork === null ? 'none' : 'bubblewrap';
  const model = choice?.model ?? config.runtime.model;
  const files = createConfinedFiles(roots);
  const network = wallNetwork !== 'none';
  return {
    key: JSON.stringify([program, version, model, wallNetwork, roots, choice?.baseUrl, choice === null]),
    title,
    program,
    version,
    sandbox,
    cwd: roots.cwd,
    provider: choice?.provider ?? 'anthropic',
    model,
    shell: createHarnessShell({ files, sandbox, network }),
    undo: { roots, anchor: topmostMissing, points: start.deps.programs.points },
    launch: (launch) => startProgram(start, model, launch),
  };
}

async function startProgram(
  start: Start,
  model: string,
  { sessionId, isNew, turn, spend }: Parameters<ProgramSetup['launch']>[0],
): ReturnType<ProgramSetup['launch']> {
  const { deps, agent, config, choice } = start;
  const { programs, models } = deps;
  const relay = choice === null ? null : await openRelay();
  if (relay && !relay.ok) return relay;
  const access = relay?.value ?? null;
  const folders = makeFolders(start);
  const session = isNew ? ['--session-id', sessionId] : ['--resume', sessionId];
  const processes = await programs.processes();
  const started = await processes.start({
    agentId: agent.id,
    argv: [start.program, ...claudeArguments, ...(model === '' ? [] : ['--model', model]), ...session],
    env: environment(start, folders, access),
    cwd: start.roots.cwd,
    wall: wallOf(start, folders, access),
  });
  if (!started.ok) {
    await access?.close();
    return started;
  }
  const process = started.value;
  return ok({
    process,
    isMetered: access !== null,
    async end() {
      await process.end();
      await access?.close();
    },
  });

  async function openRelay(): Promise<Result<ModelRelay>> {
    const port = await programs.modelRelay();
    return port.open({
      agentId: agent.id,
      formats: ['anthropic-messages'],
      spend,
      models: { choose: () => models.chooseFresh(agent.id, config), gate: models.gate },
      turn,
    });
  }
}

/**
 * Makes it ask for everything that acts, whatever the settings in the workspace say: they are not read, and a
 * rule that asks goes before one that allows.
 */
const settings = JSON.stringify({
  permissions: {
    ask: askedTools,
    allow: [`mcp__${hostServer}`],
    defaultMode: 'default',
    disableBypassPermissionsMode: 'disable',
  },
});

/** Arguments of every start; a session id follows. */
export const claudeArguments: readonly string[] = [
  '-p',
  '--input-format=stream-json',
  '--output-format=stream-json',
  '--verbose',
  '--include-partial-messages',
  '--replay-user-messages',
  '--permission-prompt-tool=stdio',
  '--permission-mode=default',
  '--setting-sources=user',
  '--strict-mcp-config',
  `--settings=${settings}`,
  `--tools=${claudeTools.join(',')}`,
];

interface OwnFolders {
  readonly home: string;
  readonly config: string;
  readonly tmp: string;
}

function makeFolders({ deps, agent, choice }: Start): OwnFolders {
  const root = folderOf(agent);
  const folders = { home: join(root, 'home'), config: join(root, 'config'), tmp: join(root, 'tmp') };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  linkLogin(deps.env.HOME ?? homedir(), folders.config, choice === null);
  return folders;
}

/** The program refreshes the operator's login itself, so it gets the file and not a copy. */
function linkLogin(userHome: string, config: string, isWanted: boolean): void {
  const login = join(userHome, '.claude', '.credentials.json');
  const link = join(config, '.credentials.json');
  if (isWanted === (linkTarget(link) === login)) return;
  rmSync(link, { force: true });
  if (isWanted && existsSync(login)) symlinkSync(login, link);
}

function linkTarget(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

function environment(
  { program, path, deps }: Start,
  { home, config, tmp }: OwnFolders,
  access: ModelRelay | null,
): Readonly<Record<string, string>> {
  return {
    PATH: `${dirname(program)}:${path}`,
    HOME: home,
    TMPDIR: tmp,
    LANG: deps.env.LANG ?? 'C.UTF-8',
    CLAUDE_CONFIG_DIR: config,
    CLAUDE_CODE_TMPDIR: tmp,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: '1',
    CLAUDE_CODE_MAX_RETRIES: '2',
    DISABLE_AUTOUPDATER: '1',
    ...(access ? { ANTHROPIC_BASE_URL: access.url, ANTHROPIC_API_KEY: access.token } : {}),
  };
}

function wallOf(
  { wallNetwork, roots, program, agent }: Start,
  { home, config, tmp }: OwnFolders,
  access: ModelRelay | null,
): HarnessWall | null {
  if (wallNetwork === null) return null;
  const real = realpathSync(program);
  return {
    readable: [dirname(program), dirname(real), dirname(dirname(real)), ...roots.readable],
    writable: [roots.cwd, ...roots.writable, home, config, tmp],
    hidden: [join(agent.folder, 'keys')],
    network: wallNetwork,
    model: access,
  };
}
