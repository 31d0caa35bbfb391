import { fail } from '../../contract/fail.ts';
import type { HarnessLog, HarnessProcessView } from '../../contract/harness-processes.ts';
import { harnessFacts, harnessIdSchema, sdkHarness } from '../../contract/harnesses.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { type RuntimeKind, runtimeKindFacts } from '../../contract/runtime-kinds.ts';
import { effectiveTriple, type RuntimeTriple } from '../../core/agents/runtime-triple.ts';
import type { HarnessRecord } from '../../core/runtimes/harness-ports.ts';
import { readTreeUsage } from '../../platform/process-usage.ts';
import type { AgentStore, LoadedAgent } from '../../services/agent-store/agent-types.ts';
import type { HarnessContainers } from '../../services/executors/harness-container.ts';
import { configInForce } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import type { Handlers } from '../dispatch.ts';
import type { AgentContexts } from './agent-contexts.ts';
import type { AgentTerminals, TerminalLine } from './agent-terminals.ts';
import { createHarnessFinder, type FindHarnessDeps, findHarnesses } from './find-harnesses.ts';
import type { HarnessCanaries } from './harness-canaries.ts';
import type { ProcessLedger } from './process-ledger.ts';

export interface HarnessDeps extends FindHarnessDeps {
  readonly agents: Pick<AgentStore, 'get' | 'list'>;
  readonly programs: HarnessPrograms;
  /** The newest session of the agent's program, for a terminal. */
  readonly openTerminal: (agent: LoadedAgent) => Promise<Result<TerminalLine>>;
}

export interface HarnessPrograms {
  readonly ledger: Pick<ProcessLedger, 'list'>;
  readonly canaries: HarnessCanaries;
  readonly terminals: Pick<AgentTerminals, 'attach' | 'detach' | 'since'>;
  readonly contexts: Pick<AgentContexts, 'of'>;
  /** False if no such process runs. */
  endProcess(id: string): Promise<boolean>;
  restartProcess(id: string): Promise<boolean>;
  outputOf(agentId: string): Promise<HarnessLog | null>;
  /** Whether this system offers a sandbox. */
  hasWalls(): Promise<boolean>;
  /** Loads with the first agent in a container. */
  containers(): Promise<{ readonly executor: Pick<HarnessContainers, 'pidOf'> }>;
}

/** The processes of a container are no children of the program that started it. */
async function viewProcess(
  { at, ...record }: HarnessRecord,
  pidOf: (container: string) => Promise<number | null>,
): Promise<HarnessProcessView> {
  const inside = record.container === null ? null : await pidOf(record.container);
  const leader = inside ?? record.pid;
  return {
    id: record.id,
    agentId: record.agentId,
    program: record.program,
    pid: record.pid,
    hasWall: record.hasWall,
    container: record.container,
    startedAt: at,
    usage: readTreeUsage({ leader, marker: record.marker }),
  };
}

type HarnessMethods = Pick<
  Handlers,
  | 'harnesses.list'
  | 'harnesses.test'
  | 'harnesses.processes'
  | 'harnesses.endProcess'
  | 'harnesses.restartProcess'
  | 'harnesses.log'
  | 'harnesses.ofAgent'
  | 'agents.attach'
  | 'agents.detach'
>;

/** Name of the program or library that runs an agent; empty if Kennel does. */
const programOf = (runtime: RuntimeTriple & { readonly kind: RuntimeKind }): string =>
  runtime.kind === 'sdk-local' ? sdkHarness : effectiveTriple(runtime).harness;

const ended = () => err(fail('not_found', 'harness.unknownProcess'));

export const createHarnessHandlers = ({
  agents,
  programs,
  openTerminal,
  ...deps
}: HarnessDeps): HarnessMethods => ({
  'harnesses.list': async () => {
    const [found, hasWall] = await Promise.all([findHarnesses(deps), programs.hasWalls()]);
    return ok({
      harnesses: found.map((view) => ({ ...view, canary: programs.canaries.of(view.id, view.version) })),
      hasWall,
    });
  },
  'harnesses.test': async ({ id }) => {
    const canary = await programs.canaries.run(id);
    return canary.ok ? ok({ canary: canary.value }) : canary;
  },
  'harnesses.processes': async () => {
    const pidOf = async (name: string) => (await programs.containers()).executor.pidOf(name);
    const records = programs.ledger.list();
    return ok({ processes: await Promise.all(records.map((record) => viewProcess(record, pidOf))) });
  },
  'harnesses.endProcess': async ({ id }) => ((await programs.endProcess(id)) ? ok({}) : ended()),
  'harnesses.restartProcess': async ({ id }) => ((await programs.restartProcess(id)) ? ok({}) : ended()),
  'harnesses.ofAgent': async ({ agent: ref }) => {
    const found = findAgent(agents, ref);
    if (!found.ok) return found;
    const { id } = found.value;
    const { runtime } = configInForce(found.value);
    const wanted = harnessIdSchema.safeParse(programOf(runtime));
    const [view, hasWall] = await Promise.all([
      wanted.success ? createHarnessFinder(deps, wanted.data)() : null,
      programs.hasWalls(),
    ]);
    const harness = view && {
      ...view.view,
      canary: programs.canaries.of(view.view.id, view.view.version),
    };
    return ok({
      harness,
      hasWall,
      canAttach:
        runtimeKindFacts(runtime.kind).runsOnHost &&
        harness !== null &&
        harness.program !== null &&
        harnessFacts(harness.id).hasTerminal,
      terminalSince: programs.terminals.since(id),
      context: programs.contexts.of(id),
    });
  },
  'agents.attach': async ({ agent: ref, pid }) => {
    const found = findAgent(agents, ref);
    if (!found.ok) return found;
    const attached = await programs.terminals.attach(found.value.id, pid, () => openTerminal(found.value));
    if (!attached.ok) return attached;
    const { value } = attached;
    if (value.state === 'busy') return ok({ state: value.state });
    return ok({ ...value, argv: [...value.argv], env: { ...value.env } });
  },
  'agents.detach': async ({ agent: ref, pid }) => {
    const found = findAgent(agents, ref);
    if (!found.ok) return found;
    await programs.terminals.detach(found.value.id, pid);
    return ok({});
  },
  'harnesses.log': async ({ agent: ref }) => {
    const found = findAgent(agents, ref);
    if (!found.ok) return found;
    const output = await programs.outputOf(found.value.id);
    return output ? ok(output) : err(fail('not_found', 'harness.noOutput'));
  },
});
