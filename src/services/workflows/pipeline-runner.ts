/**
 * `pipeline` steps: every stage is checked before the first runs, and a stage with a gate waits for its
 * answer.
 */
import { fail } from '../../contract/fail.ts';
import { ok, type Result } from '../../contract/result.ts';
import type { Journal, StepCall, StepOutcome, StepRunner } from '../../core/workflows/engine/engine-ports.ts';
import type { GateContent } from '../../core/workflows/engine/events.ts';
import type { Json } from '../../core/workflows/file/definition.ts';
import { renderPipeline } from '../../core/workflows/file/pipeline-text.ts';
import {
  effectOf,
  type PreparedStage,
  preparePipeline,
  problemError,
} from '../../core/workflows/pipeline/check.ts';
import type { PipelineHalt } from '../../core/workflows/pipeline/command.ts';
import { type JsonValue, parseExact, stringifyExact } from '../../core/workflows/pipeline/exact-json.ts';
import type {
  GatewayPort,
  LlmPort,
  NamedWorkflowsPort,
  PipelinePorts,
  StatePort,
} from '../../core/workflows/pipeline/pipeline-ports.ts';
import { afterAnswer, runPipeline } from '../../core/workflows/pipeline/run.ts';
import { sha256Hex } from '../../platform/sha256.ts';
import { readConfined } from './confined-folder.ts';
import { failedBy, placeOfStep, type ShellPorts } from './shell-runner.ts';

export interface PipelineRunnerPorts extends ShellPorts {
  readonly journal: Pick<Journal, 'value' | 'setValue'>;
  readonly gateway: GatewayPort;
  readonly llm: LlmPort;
  readonly workflows: NamedWorkflowsPort;
  /** Maximum characters of JSON that a pipeline may return. */
  readonly maxOutput: number;
  /** True if an agent wrote the pipeline: it then may not name an address, secret or session. */
  readonly byAgent: (call: StepCall) => boolean;
}

/**
 * Keys of pipelines have namespaces of their own: none can name data of runs, gates or tokens, and a pipeline
 * written by an agent stores nothing under a key that the operator's own workflows read (T9).
 */
export function createStatePort(
  journal: Pick<Journal, 'value' | 'setValue'>,
  writtenBy: string | null = null,
): StatePort {
  const own = writtenBy === null ? '' : `agent ${writtenBy} `;
  return {
    async get(space, key) {
      const text = journal.value(`${own}${space}:${key}`);
      const read = text === null ? null : parseExact(text);
      return ok(read?.ok ? read.value : undefined);
    },
    async set(space, key, value) {
      journal.setValue(`${own}${space}:${key}`, stringifyExact(value));
      return ok(undefined);
    },
  };
}

const anybody = { named: [], needed: 1, notInitiator: false } as const;

const contentOf = (halt: PipelineHalt): GateContent => ({
  kind: halt.kind,
  prompt: halt.prompt,
  items: halt.kind === 'approval' ? (halt.items as readonly Json[]) : [],
  preview: halt.kind === 'approval' ? halt.preview : null,
  schema: halt.kind === 'input' ? (halt.schema as Json) : null,
  defaults: null,
  subject: halt.kind === 'input' ? (halt.subject as Json) : null,
  approvers: anybody,
});

/** The input of the first stage: the step's input, or the items that the preceding gate passes on. */
function inputOf(call: StepCall, stages: readonly PreparedStage[]): Result<readonly JsonValue[]> {
  const { from, stdin } = call;
  if (!from) return ok(itemsOf(stdin));
  const gate = stages[from.stage - 1]?.run;
  const items = from.items as readonly JsonValue[];
  if (gate?.kind !== 'gate') return ok(items);
  const halt = gate.halt(items);
  return afterAnswer(halt, halt.kind === 'approval' ? true : (from.answer as JsonValue));
}

function itemsOf(stdin: Json | undefined): readonly JsonValue[] {
  if (stdin === undefined || stdin === null) return [];
  return (Array.isArray(stdin) ? stdin : [stdin]) as readonly JsonValue[];
}

function prepare(call: StepCall, byAgent: boolean): Result<readonly PreparedStage[]> {
  const { step, scope } = call;
  if (step.kind !== 'pipeline') return { ok: false, error: fail('internal', 'workflows.notPipeline') };
  const text = renderPipeline(step.pipeline, scope);
  if (!text.ok) return text;
  const stages = preparePipeline(text.value, { byAgent });
  if (stages.ok) return stages;
  const [first] = stages.error;
  return {
    ok: false,
    error: first ? problemError(text.value, first) : fail('invalid_input', 'workflows.pipelineCannotRun'),
  };
}

/** `called` reports that a tool was called, after which no retry is allowed. */
function portsFor(call: StepCall, ports: PipelineRunnerPorts, called: () => void): Result<PipelinePorts> {
  const place = placeOfStep(call, ports);
  if (!place.ok) return place;
  const { cwd } = place.value;
  const { gateway } = ports;
  return ok({
    exec: ports.processes.of(call, place.value),
    state: createStatePort(ports.journal, call.origin?.writtenBy ?? null),
    gateway: {
      ambient: gateway.ambient,
      post(request, signal) {
        called();
        return gateway.post(request, signal);
      },
    },
    llm: ports.llm,
    workflows: ports.workflows,
    readText: async (path) => readConfined(cwd, path),
    sha256: (text) => sha256Hex(text),
  });
}

async function runStages(call: StepCall, ports: PipelineRunnerPorts): Promise<StepOutcome> {
  const stages = prepare(call, ports.byAgent(call));
  if (!stages.ok) return failedBy(stages.error, false);
  const input = inputOf(call, stages.value);
  if (!input.ok) return failedBy(input.error, false);
  let calledTool = false;
  const own = portsFor(call, ports, () => {
    calledTool = true;
  });
  if (!own.ok) return failedBy(own.error, false);
  const from = call.from?.stage ?? 0;
  const end = await runPipeline({
    stages: stages.value,
    from,
    input: input.value,
    ports: own.value,
    signal: call.signal,
    maxOutput: ports.maxOutput,
  });
  if (!end.ok) {
    const mayRepeat = effectOf(stages.value.slice(from)) !== 'once' || !calledTool;
    return failedBy(end.error, mayRepeat && end.error.code !== 'too_large');
  }
  if (end.value.kind === 'done') return { type: 'done', json: end.value.items as readonly Json[] };
  const { halt, next } = end.value;
  return {
    type: 'halted',
    next: { stage: next, items: halt.items as readonly Json[] },
    asks: contentOf(halt),
  };
}

export const createPipelineRunner = (ports: PipelineRunnerPorts): StepRunner => ({
  run: (call) => runStages(call, ports),
});
