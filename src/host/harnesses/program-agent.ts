import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import {
  customHarness,
  failedChecks,
  type HarnessId,
  type HarnessView,
  harnessFacts,
  mayUseLogin,
} from '../../contract/harnesses.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { ModelChoice } from '../../core/models/choose-model.ts';
import { loginAccount, serverOf } from '../../core/models/provider-gate.ts';
import type { FileRoots } from '../../core/policy/assessment.ts';
import type { Clock, DiskPort } from '../../core/ports.ts';
import type {
  DataReader,
  HarnessContainer,
  HarnessProcessPort,
  HarnessWall,
  HostTools,
  ModelRelay,
  ModelRelayPort,
} from '../../core/runtimes/harness-ports.ts';
import type {
  ProgramAgentPort,
  ProgramLaunch,
  ProgramSetup,
} from '../../core/runtimes/program/program-ports.ts';
import type { ProgramUndoDeps } from '../../core/runtimes/program/program-undo.ts';
import { offersOwnTool } from '../../core/tools/tool-set.ts';
import { findProgram, pathFolders } from '../../platform/find-program.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createConfinedFiles } from '../../services/tools/confined/confined-files.ts';
import { createHarnessShell } from '../../services/tools/shell/harness-shell.ts';
import { topmostMissing } from '../../services/tools/snapshots/scan.ts';
import type { AgentFolders } from '../fleet/agent-folders.ts';
import { installedRecord } from '../fleet/agent-skills.ts';
import type { ModelAccess } from '../fleet/model-access.ts';
import type { HostPorts } from '../host-ports.ts';
import { recordFile } from '../stores/record-file.ts';
import type { AgentContainers } from './agent-containers.ts';
import type { AgentContexts } from './agent-contexts.ts';
import type { AgentTerminals, TerminalLine } from './agent-terminals.ts';
import type { FoundHarness } from './find-harnesses.ts';
import type { HarnessCanaries } from './harness-canaries.ts';
import { createProgramFolders, type ProgramFoldersDeps, type WalledFolders } from './program-folders.ts';
import {
  installFolders,
  type OwnFolders,
  type ProgramRecipe,
  type RecipeStart,
  type StartLine,
} from './program-recipe.ts';

export interface ProgramAgentDeps {
  readonly env: HostPorts['env'];
  readonly clock: Clock;
  readonly disk: DiskPort;
  readonly folders: Pick<AgentFolders, 'ready' | 'syncSkills'>;
  readonly models: Pick<ModelAccess, 'choose' | 'chooseFresh' | 'gate'>;
  readonly programs: ProgramPlace;
}

/** Processes of agent programs, and their access to models. */
export interface HarnessAccess {
  readonly processes: () => Promise<HarnessProcessPort>;
  readonly modelRelay: () => Promise<ModelRelayPort>;
  /** Restore points of what programs change in files. */
  readonly points: ProgramUndoDeps['points'];
  readonly canaries: Pick<HarnessCanaries, 'of' | 'renewed'>;
  readonly sandbox: ProgramFoldersDeps['sandbox'];
  /** Loads with the first agent in a container. */
  readonly containers: () => Promise<Pick<AgentContainers, 'find' | 'executor'>>;
  /** Messages of the agent for its container; `null` while the data service is off. */
  data(agentId: string): DataReader | null;
  /** Image and limits of an agent's container. */
  container(config: AgentConfig, harness: HarnessId): HarnessContainer;
  /** Of each agent whose session a terminal may take. */
  readonly terminals?: Pick<AgentTerminals, 'holdOf'>;
  readonly contexts?: Pick<AgentContexts, 'note'>;
}

export interface ProgramPlace extends HarnessAccess {
  /** Where the program is, cached for a short time. */
  find(config: AgentConfig): Promise<Result<FoundHarness>>;
  /** Absent: the program runs on this computer, behind a wall if the system offers one. */
  containerOf?(config: AgentConfig): HarnessContainer;
}

interface Start {
  readonly deps: ProgramAgentDeps;
  readonly recipe: ProgramRecipe;
  readonly agent: LoadedAgent;
  readonly config: AgentConfig;
  readonly roots: FileRoots;
  /** `roots` as the wall shows them. */
  readonly walled: WalledFolders;
  readonly program: string;
  readonly entry: string;
  readonly path: string;
  /** `null`: the program uses the operator's login. */
  readonly choice: ModelChoice | null;
  readonly wallNetwork: HarnessWall['network'] | null;
  readonly container: HarnessContainer | null;
}

/** Own folders of the program, inside the agent's. */
const folderOf = ({ folder }: Pick<LoadedAgent, 'folder'>, { harness }: ProgramRecipe): string =>
  join(folder, 'harness', harness);

export interface ProgramAgent extends ProgramAgentPort {
  /** The newest session of the agent, to be used in a terminal. */
  terminal(launch: Pick<ProgramLaunch, 'turn' | 'spend'>): Promise<Result<TerminalLine>>;
}

const sessionSchema = z.object({
  sessionId: z.string(),
  /** Sessions that a person used in a terminal. */
  lent: z.array(z.string()).default([]),
});
/** The command that the operator trusts; another one is asked about anew. */
const trustSchema = z.object({ at: z.number(), command: z.array(z.string()).default([]) });

export function createProgramAgent(
  deps: ProgramAgentDeps,
  recipe: ProgramRecipe,
  agent: () => LoadedAgent | null,
  config: () => AgentConfig,
): ProgramAgent {
  const { title } = harnessFacts(recipe.harness);
  const foldersOf = createProgramFolders({ sandbox: deps.programs.sandbox, clock: deps.clock });
  const trustOf = (loaded: LoadedAgent) =>
    recordFile(deps.disk, join(folderOf(loaded, recipe), 'trusted.json'), trustSchema);
  const sessionFile = (loaded: LoadedAgent) =>
    recordFile(deps.disk, join(folderOf(loaded, recipe), 'session.json'), sessionSchema);
  /** `null` if the file is damaged: any session may have been lent. */
  const lentOf = (loaded: LoadedAgent): readonly string[] | null => {
    const session = sessionFile(loaded).read();
    return session.ok ? (session.value?.lent ?? []) : null;
  };
  const lend = (loaded: LoadedAgent, sessionId: string): Result<void> => {
    const session = sessionFile(loaded).read();
    if (!session.ok) return session;
    const lent = new Set([...(session.value?.lent ?? []), sessionId]);
    return sessionFile(loaded).write({ sessionId, lent: [...lent] });
  };
  const begin = async (): Promise<Result<{ readonly start: Start; readonly version: string }>> => {
    const loaded = agent();
    if (!loaded) return err(fail('not_found', 'agents.agentNotConnected'));
    const found = await findUsable(deps, recipe, config());
    if (!found.ok) return found;
    const { view, ...program } = found.value;
    const choice = await modelOf(deps, recipe, loaded.id, config());
    const processes = await deps.programs.processes();
    const container = containerFor(deps, config());
    const hasWall = container !== null || (await processes.hasWalls());
    const hindrance = hindranceOf(recipe, { choice, hasWall, login: view.login, container });
    if (hindrance) return err(hindrance);
    const isOpen = config().shell.network || choice === null;
    const roots = deps.folders.ready(loaded, config());
    await deps.folders.syncSkills(loaded, config(), installedRecord(deps.disk, loaded));
    const walled = hasWall ? await foldersOf({ agent: loaded, config: config(), roots, title }) : ok(roots);
    if (!walled.ok) return walled;
    const start: Start = {
      deps,
      recipe,
      agent: loaded,
      config: config(),
      roots,
      walled: walled.value,
      ...program,
      choice,
      wallNetwork: hasWall ? (isOpen ? 'open' : 'none') : null,
      container,
    };
    return ok({ start, version: view.version ?? '' });
  };
  return {
    async setup() {
      const begun = await begin();
      return begun.ok ? ok(setupOf(begun.value.start, begun.value.version)) : begun;
    },
    async terminal(launch) {
      const loaded = agent();
      if (!loaded) return err(fail('not_found', 'agents.agentNotConnected'));
      const session = sessionFile(loaded).read();
      const sessionId = (session.ok && session.value?.sessionId) || null;
      if (sessionId === null) return err(fail('not_found', 'harness.noSession', { title }));
      const noted = lend(loaded, sessionId);
      if (!noted.ok) return noted;
      const begun = await begin();
      return begun.ok ? terminalLine(begun.value.start, { ...launch, sessionId, isNew: false }) : begun;
    },
    noteSession(sessionId, isLent) {
      const loaded = agent();
      if (!loaded) return;
      const lent = lentOf(loaded);
      if (isLent) lend(loaded, sessionId);
      else if (lent !== null) sessionFile(loaded).write({ sessionId, lent: [...lent] });
    },
    wasLent(sessionId) {
      const loaded = agent();
      return loaded === null || lentOf(loaded)?.includes(sessionId) !== false;
    },
    noteContext(context) {
      const loaded = agent();
      if (loaded) deps.programs.contexts?.note(loaded.id, context);
    },
    isTrusted({ command }) {
      const loaded = agent();
      const known = loaded && trustOf(loaded).read();
      return known?.ok === true && JSON.stringify(known.value?.command) === JSON.stringify(command);
    },
    trust({ command }) {
      const loaded = agent();
      if (!loaded) return err(fail('not_found', 'agents.agentNotConnected'));
      return trustOf(loaded).write({ at: deps.clock.now(), command: [...command] });
    },
  };
}

/** The installed program, unless a test showed that it acts without asking. */
async function findUsable(deps: ProgramAgentDeps, { harness }: ProgramRecipe, config: AgentConfig) {
  const { title, installCommand } = harnessFacts(harness);
  const { programs } = deps;
  const found = await programs.find(config);
  if (!found.ok) return found;
  const { view, path } = found.value;
  const { program, entry } = view;
  if (program === null || entry === null) {
    const [command = ''] = config.runtime.command;
    return err(
      harness === customHarness
        ? fail('not_found', 'agents.commandMissing', { command }, { where: 'runtime.command' })
        : fail('not_found', 'agents.programMissing', { title, command: installCommand }),
    );
  }
  // The test runs on this computer, so it says nothing of a program in a container.
  const canary =
    containerFor(deps, config) === null
      ? await programs.canaries.renewed(harness, view.version)
      : programs.canaries.of(harness, view.version);
  if (canary && failedChecks(canary).length > 0)
    return err(
      fail(
        'forbidden',
        'agents.programFailedCanary',
        { title, version: canary.version },
        { help: 'agents.runRuntimesTest' },
      ),
    );
  return ok({ view, program, entry, path });
}

const containerFor = ({ programs }: ProgramAgentDeps, config: AgentConfig): HarnessContainer | null =>
  programs.containerOf?.(config) ?? null;

/** Why the program cannot start, or `null`. */
function hindranceOf(
  { harness }: ProgramRecipe,
  found: {
    readonly choice: ModelChoice | null;
    readonly hasWall: boolean;
    readonly login: HarnessView['login'];
    readonly container: HarnessContainer | null;
  },
): AppError | null {
  const facts = harnessFacts(harness);
  const { title, loginCommand: command, gate } = facts;
  // The login of the operator is not given to a container.
  if (found.choice === null && (!mayUseLogin(facts) || found.container !== null))
    return fail('unauthenticated', 'agents.programNeedsModel', { title });
  if (found.choice === null && found.login === 'no')
    return fail('unauthenticated', 'agents.programLoggedOut', { title, command });
  // The operator is not asked about what such a program does, so only a wall holds it.
  return gate === 'never' && !found.hasWall
    ? fail('unavailable', 'agents.programNeedsWall', { title })
    : null;
}

/** `null` if Kennel has no model that the program can use; then it uses its own login. */
async function modelOf(
  { models }: ProgramAgentDeps,
  recipe: ProgramRecipe,
  agentId: string,
  config: AgentConfig,
): Promise<ModelChoice | null> {
  const choice = await models.chooseFresh(agentId, config);
  return choice.ok && !choice.value.scripted && recipe.formatFor(choice.value) !== null ? choice.value : null;
}

function setupOf(start: Start, version: string): ProgramSetup {
  const { recipe, program, roots, choice, wallNetwork, config, container } = start;
  const { title } = harnessFacts(recipe.harness);
  const sandbox = wallNetwork === null ? 'none' : container === null ? 'bubblewrap' : 'container';
  const model = choice?.model ?? config.runtime.model;
  const files = createConfinedFiles(roots);
  const network = wallNetwork !== 'none';
  return {
    key: JSON.stringify([
      program,
      version,
      model,
      config.runtime.max_turns,
      config.runtime.command,
      wallNetwork,
      start.walled,
      choice?.baseUrl,
      container,
    ]),
    title,
    program,
    command: recipe.harness === customHarness ? config.runtime.command : [],
    version,
    sandbox,
    cwd: roots.cwd,
    provider: choice?.provider ?? (config.runtime.provider || 'anthropic'),
    model,
    offers: (tool) => offersOwnTool(tool, { ...config.tools, allowedTools: config.runtime.allowed_tools }),
    shell: createHarnessShell({ files, sandbox, network }),
    undo: { roots, anchor: topmostMissing, points: start.deps.programs.points },
    pausedUntil: () => start.deps.models.gate.pausedUntil(accountOf(start)),
    pauseLogin: (untilMs) => start.deps.models.gate.pause(accountOf(start), untilMs),
    launch: (launch) => startProgram(start, model, launch),
  };
}

/** The key or login that pays now; the operator may have changed it since the start. */
function accountOf({ deps, recipe, agent, config, choice }: Start): string {
  if (choice === null) return loginAccount(recipe.harness);
  const now = deps.models.choose(agent.id, config);
  return serverOf(now.ok ? now.value : choice);
}

async function startProgram(
  start: Start,
  model: string,
  launch: ProgramLaunch,
): ReturnType<ProgramSetup['launch']> {
  const prepared = await prepareProgram(start, model, launch);
  if (!prepared.ok) return prepared;
  const { line, access, command, processes, offer } = prepared.value;
  const started = await processes.start({ ...command, argv: [start.entry, ...line.args] });
  if (!started.ok) {
    await access?.close();
    return started;
  }
  const process = started.value;
  return ok({
    process,
    isMetered: access !== null,
    ...(access && { mcp: { url: `${access.url}/mcp`, token: access.token, offer } }),
    async end() {
      await process.end();
      await access?.close();
    },
  });
}

async function terminalLine(start: Start, launch: ProgramLaunch): Promise<Result<TerminalLine>> {
  const { recipe, program, config, choice, deps } = start;
  const { title } = harnessFacts(recipe.harness);
  const prepared = await prepareProgram(start, choice?.model ?? config.runtime.model, launch);
  if (!prepared.ok) return prepared;
  const { wanted, access, command, processes } = prepared.value;
  const args = (await recipe.terminalArgs?.(wanted)) ?? null;
  const { TERM = 'xterm-256color', COLORTERM = '' } = deps.env;
  const env = { ...command.env, TERM, ...(COLORTERM === '' ? {} : { COLORTERM }) };
  const found =
    args === null
      ? err(fail('unsupported', 'harness.noTerminal', { title }))
      : await processes.commandLine({ ...command, env, argv: [program, ...args] });
  if (found.ok) return ok({ ...found.value, title, end: async () => access?.close() });
  await access?.close();
  return found;
}

/** Folders, access to models, settings and environment of a start. */
async function prepareProgram(start: Start, model: string, { sessionId, isNew, turn, spend }: ProgramLaunch) {
  const { deps, recipe, agent, config, choice, entry, program } = start;
  const { programs, models, env } = deps;
  const format = choice && recipe.formatFor(choice);
  const relay = choice === null ? null : await openRelay();
  if (relay && !relay.ok) return relay;
  const access = relay?.value ?? null;
  const folders = makeFolders(start);
  let offered: HostTools | null = null;
  const offer = (tools: HostTools | null): void => {
    offered = tools;
  };
  const wanted: RecipeStart = {
    entry,
    program,
    folders,
    choice,
    model,
    maxTurns: config.runtime.max_turns,
    command: config.runtime.command,
    access,
    sessionId,
    isNew,
    userHome: env.HOME ?? homedir(),
    cwd: start.roots.cwd,
    hasWall: start.wallNetwork !== null,
  };
  let line: StartLine;
  try {
    line = await recipe.prepare(wanted);
  } catch (error) {
    await access?.close();
    throw error;
  }
  const command = {
    agentId: agent.id,
    env: { ...environment(start, folders), ...line.env },
    cwd: start.roots.cwd,
    wall: wallOf(start, folders, access, line.hidden ?? []),
  };
  return ok({ line, wanted, access, command, offer, processes: await programs.processes() });

  async function openRelay(): Promise<Result<ModelRelay>> {
    const port = await programs.modelRelay();
    return port.open({
      agentId: agent.id,
      formats: format === null ? [] : [format],
      spend,
      models: { choose: () => models.chooseFresh(agent.id, config), gate: models.gate },
      turn,
      tools: () => offered,
    });
  }
}

function makeFolders({ agent, recipe }: Start): OwnFolders {
  const root = folderOf(agent, recipe);
  const folders = { home: join(root, 'home'), config: join(root, 'config'), tmp: join(root, 'tmp') };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folders;
}

function environment(start: Start, { home, tmp }: OwnFolders): Readonly<Record<string, string>> {
  const { program, entry, path, deps, agent, roots, container, recipe } = start;
  return {
    // Programs of puffo-agent read these.
    ...(container && {
      PUFFO_AGENT_ID: agent.id,
      PUFFO_WORKSPACE: roots.cwd,
      PUFFO_RUNTIME_KIND: 'cli-docker',
      PUFFO_HARNESS: recipe.harness,
    }),
    PATH: [...new Set([dirname(entry), dirname(program)])].concat(path).join(':'),
    HOME: home,
    TMPDIR: tmp,
    LANG: deps.env.LANG ?? 'C.UTF-8',
  };
}

function wallOf(
  start: Start,
  { home, config, tmp }: OwnFolders,
  access: ModelRelay | null,
  hidden: readonly string[],
): HarnessWall | null {
  const { wallNetwork, walled, agent, container } = start;
  if (wallNetwork === null) return null;
  const parts = container === null ? programParts(start) : [];
  return {
    ...(container && { container }),
    readable: [...new Set([...parts, ...walled.readable])],
    writable: [...walled.writable, home, config, tmp],
    hidden: [join(agent.folder, 'keys'), ...hidden],
    network: wallNetwork,
    model: access,
    ...(container && { data: start.deps.programs.data(agent.id) }),
  };
}

function programParts({ program, entry, path }: Start): readonly string[] {
  const node = findProgram('node', pathFolders(path));
  return [program, entry, ...(node === null ? [] : [node])].flatMap(installFolders);
}
