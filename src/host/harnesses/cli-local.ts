import { fail } from '../../contract/fail.ts';
import {
  customHarness,
  type HarnessId,
  harnessFacts,
  harnessIdSchema,
  sdkHarness,
} from '../../contract/harnesses.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { runtimeKindFacts } from '../../contract/runtime-kinds.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import { effectiveTriple, notYet } from '../../core/agents/runtime-triple.ts';
import { assertNever } from '../../core/lib/assert.ts';
import type { SpendGate } from '../../core/models/spend-gate.ts';
import type { Random } from '../../core/ports.ts';
import { createAcpProtocol } from '../../core/runtimes/acp/acp-protocol.ts';
import { createClaudeProtocol } from '../../core/runtimes/claude/claude-protocol.ts';
import { linesReader } from '../../core/runtimes/lines/lines-output.ts';
import { createLinesProtocol } from '../../core/runtimes/lines/lines-protocol.ts';
import { turnFailure } from '../../core/runtimes/live-turn.ts';
import type { ProgramDeps } from '../../core/runtimes/program/program-ports.ts';
import { createProgramRuntime } from '../../core/runtimes/program/program-runtime.ts';
import type { RuntimeAdapter } from '../../core/runtimes/runtime-adapter.ts';
import type { RuntimePort } from '../../core/supervisor/runtime-port.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { connectAcp } from '../../services/harnesses/acp-connection.ts';
import { configInForce } from '../agents/agent-view.ts';
import { acpRecipes, customRecipe } from './acp-recipes.ts';
import type { TerminalLine } from './agent-terminals.ts';
import { agentSdkRecipe, claudeRecipe } from './claude-recipe.ts';
import { createHarnessFinder, type FoundHarness, findCommand } from './find-harnesses.ts';
import { hermesRecipe } from './hermes-recipe.ts';
import {
  createProgramAgent,
  type HarnessAccess,
  type ProgramAgentDeps,
  type ProgramPlace,
} from './program-agent.ts';

export interface CliRuntimeDeps extends Omit<ProgramAgentDeps, 'programs'> {
  readonly agents: Pick<AgentStore, 'get' | 'onChange'>;
  readonly random: Random;
  readonly harness: HarnessAccess;
  readonly place: 'host' | 'container';
}

/** The programs that this version can start. */
export const programRecipes = [claudeRecipe, agentSdkRecipe, ...acpRecipes, hermesRecipe, customRecipe];

/**
 * The runtimes `cli-local`, `sdk-local` and `cli-docker`: one per agent and program; an agent whose program changes
 * leaves the old one.
 */
export function createCliRuntime({
  agents,
  random,
  harness,
  place,
  ...shared
}: CliRuntimeDeps): RuntimeAdapter {
  const { env, clock } = shared;
  const finders = new Map<HarnessId, Find>(
    programRecipes.map(({ harness: id }) => [id, createHarnessFinder({ env, clock }, id)] as const),
  );
  finders.set(customHarness, ({ runtime }) => findCommand({ env, clock }, runtime.command));
  if (place === 'container') {
    agents.onChange((ids) => {
      for (const id of ids) if (agents.get(id) === null) void removeContainer(harness, id);
    });
  }
  return {
    open({ id: agentId, config, log }, turns) {
      let open: { readonly harness: HarnessId; readonly runtime: RuntimePort } | null = null;
      const runtimeFor = (wanted: HarnessId): RuntimePort | null => {
        if (open?.harness === wanted) return open.runtime;
        void open?.runtime.close?.();
        const recipe = programRecipes.find((one) => one.harness === wanted);
        const find = finders.get(wanted);
        if (!recipe || !find) return null;
        const programs = place === 'container' ? inContainer(harness, wanted) : onHost(harness, find);
        const program = createProgramAgent(
          { ...shared, programs },
          recipe,
          () => agents.get(agentId),
          config,
        );
        const hold = harness.terminals?.holdOf(agentId);
        const agent = hold ? { ...program, hold } : program;
        const runtime = openProgram(wanted, { agentId, agent, turns, clock, random, log });
        open = { harness: wanted, runtime };
        return runtime;
      };
      return {
        async *run(turn, signal) {
          const { error, harness: wanted } = wantedProgram(config());
          const runtime = wanted && runtimeFor(wanted);
          if (runtime) yield* runtime.run(turn, signal);
          else if (error) yield turnFailure(error, '', []);
        },
        close: async () => open?.runtime.close?.(),
      };
    },
  };
}

async function removeContainer(harness: HarnessAccess, agentId: string): Promise<void> {
  const containers = await harness.containers();
  await containers.executor.remove(agentId);
}

type Find = (config: AgentConfig) => Promise<FoundHarness>;

const onHost = (harness: HarnessAccess, find: Find): ProgramPlace => ({
  ...harness,
  find: async (config) => ok(await find(config)),
});

const inContainer = (harness: HarnessAccess, wanted: HarnessId): ProgramPlace => ({
  ...harness,
  find: async (config) => (await harness.containers()).find(harness.container(config, wanted), wanted),
  containerOf: (config) => harness.container(config, wanted),
});

type TerminalDeps = Omit<CliRuntimeDeps, 'agents' | 'place'> & { readonly agents: Pick<AgentStore, 'get'> };

/** The newest session of an agent's program, for a terminal. */
export async function openTerminal(
  { agents, random, harness, ...shared }: TerminalDeps,
  agent: LoadedAgent,
  spend: SpendGate,
): Promise<Result<TerminalLine>> {
  const config = configInForce(agent);
  const { error, harness: wanted } = wantedProgram(config);
  if (error) return err(error);
  const recipe = programRecipes.find((one) => one.harness === wanted);
  if (!recipe || wanted === null || !runtimeKindFacts(config.runtime.kind).usesHarness)
    return err(fail('unsupported', 'harness.noTerminalOfKind', { kind: config.runtime.kind }));
  const isInside = config.runtime.kind === 'cli-docker';
  const programs = isInside
    ? inContainer(harness, wanted)
    : onHost(harness, createHarnessFinder(shared, wanted));
  const program = createProgramAgent(
    { ...shared, programs },
    recipe,
    () => agents.get(agent.id),
    () => config,
  );
  // The cost is the agent's, but belongs to no turn.
  const paying = {
    turnId: `terminal_${random.uuid()}`,
    threadKey: 'terminal',
    onRefused() {},
    onPaused() {},
  };
  return program.terminal({ turn: () => paying, spend });
}

/** A turn of a program without an adapter fails with a sentence. */
function wantedProgram({ runtime }: AgentConfig) {
  const error = notYet(runtime);
  const name = runtime.kind === 'sdk-local' ? sdkHarness : effectiveTriple(runtime).harness;
  const { data } = harnessIdSchema.safeParse(name);
  return { error, harness: error === null ? (data ?? null) : null };
}

export function openProgram(id: HarnessId, deps: ProgramDeps): RuntimePort {
  const { protocol, mode } = harnessFacts(id);
  switch (protocol) {
    case 'claude-stream':
      return createProgramRuntime(deps, createClaudeProtocol(id));
    case 'acp':
      return createProgramRuntime(deps, createAcpProtocol({ id, mode }, connectAcp));
    case 'lines':
      return createProgramRuntime(deps, createLinesProtocol(id, linesReader(id)));
    default:
      return assertNever(protocol);
  }
}
