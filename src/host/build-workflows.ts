import { existsSync } from 'node:fs';
import type { DiskPort } from '../core/ports.ts';
import type { AgentStore } from '../services/agent-store/agent-types.ts';
import type { Approvals } from './approvals/approvals.ts';
import type { OperatorsRoom } from './approvals/operators-room.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { HostPorts } from './host-ports.ts';
import type { Operator } from './identity/operator.ts';
import type { Layout } from './layout.ts';
import type { Problems } from './problems.ts';
import { eraseStore } from './stores/erase-store.ts';
import type { WatchStore } from './stores/store-watch.ts';
import type { Tasks } from './tasks/tasks.ts';
import type { AskModelFor } from './workflows/ask-model.ts';
import type { OpenRunsPort } from './workflows/open-runs.ts';
import { createRunParties, type RunParties } from './workflows/run-parties.ts';
import { type createLazyFiles, createWorkflows, type Workflows } from './workflows/workflows.ts';

/** Everything that the units of workflows use, each a part of it. */
export interface WorkflowWiring {
  readonly ports: Pick<HostPorts, 'clock' | 'random' | 'log' | 'env' | 'mode'>;
  readonly layout: Layout;
  readonly disk: DiskPort;
  readonly problems: Problems;
  readonly agents: AgentStore;
  readonly operator: Operator;
  readonly fleet: Pick<Fleet, 'post'>;
  readonly watchStore: WatchStore;
  readonly approvals: Approvals;
  readonly operatorsRoom: OperatorsRoom;
  readonly tasks: Tasks;
  readonly workflowFiles: ReturnType<typeof createLazyFiles>;
  readonly askModel: AskModelFor;
}

/** Part of the composition root: runs of workflows. Their code is loaded with the first run. */
export function buildWorkflows(wiring: WorkflowWiring): {
  readonly workflows: Workflows;
  readonly parties: RunParties;
} {
  const { layout, disk, problems, agents, operator, fleet, watchStore, approvals, operatorsRoom } = wiring;
  const { tasks, workflowFiles, askModel } = wiring;
  const { clock, random, log, env, mode } = wiring.ports;
  const parties = createRunParties({ agents, operator, operatorsRoom, clock });
  const loadRuns = async (): Promise<OpenRunsPort> => {
    const [{ createRunsOpener }, { openRunRecords }, runners, { createGateQuestions }, drivers] =
      await Promise.all([
        import('./workflows/open-runs.ts'),
        import('./workflows/run-records.ts'),
        import('./workflows/host-runners.ts'),
        import('./workflows/gate-questions.ts'),
        import('./workflows/driver.ts'),
      ]);
    const { createAgentRunner, createModelRunner, createProgramRunners } = runners;
    const { askerOf, fenceOf } = runners.createStepAskers(parties.agentOf, random);
    const path = layout.workflowStore;
    const taskOf = (key: string) => tasks.handedOut(runners.taskKey(key));
    const approvalCentre = () => {
      const parts = approvals.parts();
      return parts.ok ? parts.value.centre : null;
    };
    return createRunsOpener({
      clock,
      random,
      openRecords: (parts, onWritten) =>
        openRunRecords(
          { path, clock, log, watchStore, post: (id) => fleet.post(id), taskOf },
          parts,
          onWritten,
        ),
      createRunners: ({ journal, nameOf }, engine, slots) => ({
        ...createProgramRunners({
          journal,
          env,
          root: layout.workflows,
          models: { askModel, askerOf },
          named: { files: workflowFiles, engine, slots },
        }),
        agent: createAgentRunner({ desk: tasks, fenceOf, nameOf }),
        model: createModelRunner({ askModel, askerOf, fenceOf }),
      }),
      createQuestions: ({ journal, book }, engine) =>
        createGateQuestions({
          centre: approvalCentre,
          journal,
          engine,
          clock,
          log,
          parties: {
            askedIn: (state, gate) => parties.askedIn(book, state, gate),
            approverName: parties.approverName,
          },
        }),
      createDriver: ({ journal, book }, { engine, slots, events }) =>
        mode === 'full'
          ? drivers.createDriver({
              engine,
              journal,
              clock,
              log,
              slots: { ...slots, agentOf: (run) => parties.agentOf(book.live(run).state.initiatedBy) },
              events,
            })
          : drivers.idleDriver,
    });
  };
  const workflows = createWorkflows({
    clock,
    problems,
    store: {
      exists: () => existsSync(layout.workflowStore),
      erase: () => eraseStore(disk, layout.workflowStore),
    },
    loadRuns,
    listener: {
      onWritten: (run, isOver) => tasks.runChanged(run, isOver),
      onOpened: (isOver) => tasks.runsOpened(isOver),
    },
    resumes: mode === 'full',
  });
  return { workflows, parties };
}
