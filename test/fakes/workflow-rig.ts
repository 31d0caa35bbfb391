/**
 * A test world for workflows: a journal that can be killed, steps whose effects outlive the process, and a
 * clock that jumps to the next timer. Shell commands are scripted: `say TEXT`, `fail`, `flaky N TEXT`, `slow
 * MS TEXT`, `big N`; a pipeline `exec say TEXT | approve` waits once.
 */

import type { Clock, Timer } from '../../src/core/ports.ts';
import { createEngine, type Engine } from '../../src/core/workflows/engine/engine.ts';
import type {
  GateRow,
  OpenGate,
  StepCall,
  StepOutcome,
  StepRunners,
} from '../../src/core/workflows/engine/engine-ports.ts';
import type { SubWorkflow } from '../../src/core/workflows/file/calls.ts';
import type {
  EffectClass,
  Json,
  TemplateScope,
  WorkflowDefinition,
} from '../../src/core/workflows/file/definition.ts';
import { definitionFrom, readWorkflow } from '../../src/core/workflows/file/read-workflow.ts';
import { renderTemplate } from '../../src/core/workflows/file/template.ts';
import { stringifyExact } from '../../src/core/workflows/pipeline/exact-json.ts';
import { createMemoryJournal, Killed, type MemoryJournal, sha256 } from './memory-journal.ts';
import { createSeededRandom } from './seeded-random.ts';

export interface Effect {
  readonly path: string;
  readonly key: string;
  readonly effect: EffectClass;
  readonly attempt: number;
  readonly stdin: Json | undefined;
  /** Values that the step could refer to, by step. */
  readonly seen: TemplateScope['steps'];
}

export interface WorkflowRig {
  readonly journal: MemoryJournal;
  readonly clock: Clock & { jump(ms: number): void };
  /** Effects of steps, in order. */
  readonly effects: Effect[];
  /** Violated invariants, noticed at an effect. */
  readonly breaches: string[];
  readonly reaped: number[];
  readonly told: { opened: OpenGate[]; reminded: OpenGate[]; closed: string[] };
  readonly alive: Set<string>;
  /** Creates an engine on this journal, like a new process; `around` wraps its runners. */
  engine(owner?: string, around?: (runners: StepRunners) => StepRunners): Engine;
  /** `look` runs before every effect and returns the violated invariant; `null` if none. */
  watch(look: (call: StepCall) => string | null): void;
  onOpened(look: (gate: OpenGate) => void): void;
  open(): readonly GateRow[];
}

function createJumpingClock(): Clock & { jump(ms: number): void } {
  let wall = 1_778_790_000_000;
  let steady = 0;
  const timers: { due: number; run: () => void }[] = [];
  const fire = (): void => {
    timers.sort((a, b) => a.due - b.due);
    const next = timers.shift();
    if (!next) return;
    const step = Math.max(0, next.due - steady);
    steady += step;
    wall += step;
    next.run();
  };
  return {
    now: () => wall,
    monotonic: () => steady,
    after(ms, run): Timer {
      const timer = { due: steady + ms, run };
      timers.push(timer);
      // two rounds, so that work without any delay comes first
      setImmediate(() => setImmediate(fire));
      return {
        cancel() {
          const at = timers.indexOf(timer);
          if (at >= 0) timers.splice(at, 1);
        },
      };
    },
    jump(ms) {
      wall += ms;
    },
  };
}

export function workflow(text: string): WorkflowDefinition {
  const read = definitionFrom(readWorkflow(text));
  if (!read.ok) throw new Error(`${read.error.message} ${read.error.where ?? ''}`);
  return read.value;
}

export const child = (file: string, text: string): SubWorkflow => ({
  parent: null,
  file,
  definition: workflow(text),
});

const textOf = ({ step, scope }: StepCall): string => {
  switch (step.kind) {
    case 'run':
      return renderTemplate(step.shell, scope);
    case 'pipeline':
      return renderTemplate(step.pipeline, scope).replace(/^exec /, '');
    case 'agent':
      return renderTemplate(step.goal, scope);
    case 'llm-task':
      return renderTemplate(step.prompt, scope);
    default:
      throw new Error(`nothing to run in a step of kind ${step.kind}`);
  }
};

const failed = (message: string): StepOutcome => ({ type: 'failed', code: 'failed', message, retry: true });

export function createWorkflowRig(seed = 1): WorkflowRig {
  const journal = createMemoryJournal();
  const clock = createJumpingClock();
  const effects: Effect[] = [];
  const breaches: string[] = [];
  const reaped: number[] = [];
  const told: WorkflowRig['told'] = { opened: [], reminded: [], closed: [] };
  const alive = new Set<string>();
  const random = createSeededRandom(seed);
  let opening: (gate: OpenGate) => void = () => {};
  let watching: (call: StepCall) => string | null = () => null;

  const act = (call: StepCall): void => {
    if (journal.dead()) throw new Killed('killed');
    const breach = watching(call);
    if (breach !== null) breaches.push(breach);
    const { path, key, attempt, stdin, step } = call;
    effects.push({ path, key, effect: step.effect, attempt, stdin, seen: call.scope.steps });
  };
  const wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const timer = clock.after(ms, resolve);
      signal.addEventListener('abort', () => {
        timer.cancel();
        resolve();
      });
    });
  const run = async (call: StepCall): Promise<StepOutcome> => {
    const [word = '', first = '', ...rest] = textOf(call).split(' ');
    const tail = rest.join(' ');
    if (call.step.kind === 'run') call.spawned({ pid: effects.length + 100, started: '1' });
    if (textOf(call).endsWith('| approve')) {
      if (call.from) {
        act(call);
        return { type: 'done', json: call.from.items };
      }
      const approvers = { named: [], needed: 1, notInitiator: false };
      const none = { preview: null, schema: null, defaults: null, subject: null };
      const asks = { kind: 'approval', prompt: 'inner', items: [first], approvers, ...none } as const;
      return { type: 'halted', next: { stage: 1, items: [first] }, asks };
    }
    if (word === 'slow') await wait(Number(first), call.signal);
    if (call.signal.aborted) return failed('stopped');
    act(call);
    const tries = effects.filter(({ key }) => key === call.key).length;
    if (word === 'fail') return failed(tail || 'boom');
    if (word === 'flaky') return tries < Number(first) ? failed('not yet') : { type: 'done', stdout: tail };
    if (word === 'big') return { type: 'done', stdout: JSON.stringify('x'.repeat(Number(first))) };
    if (word === 'cost') return { type: 'done', stdout: tail, costUsd: Number(first) };
    if (word === 'echo') return { type: 'done', stdout: stringifyExact(call.stdin ?? null) };
    return { type: 'done', stdout: word === 'slow' ? tail : [first, ...rest].join(' ') };
  };
  const runner = { run };
  return {
    journal,
    clock,
    effects,
    breaches,
    reaped,
    told,
    alive,
    watch(look) {
      watching = look;
    },
    onOpened(look) {
      opening = look;
    },
    open: () => journal.openGates(),
    engine: (owner = 'one', around = (runners) => runners) =>
      createEngine({
        journal,
        clock,
        random,
        sha256,
        owners: { self: owner, alive: (other) => alive.has(other) },
        runners: around({
          shell: { ...runner, gated: true },
          pipeline: runner,
          agent: runner,
          model: runner,
          reap: async ({ pid }) => void reaped.push(pid),
        }),
        gates: {
          opened(gate) {
            told.opened.push(gate);
            opening(gate);
          },
          reminded: (gate) => void told.reminded.push(gate),
          closed: (gate) => void told.closed.push(gate),
        },
      }),
  };
}

export const person = (id: string | null = 'ann') => ({ kind: 'person', id }) as const;
