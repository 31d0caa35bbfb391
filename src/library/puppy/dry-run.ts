/** Plans a run: steps in order, gates and validated arguments. Runs nothing. */
import { realpathSync } from 'node:fs';
import type { Envelope } from '../../core/workflows/engine/envelope.ts';
import { admitRun } from '../../core/workflows/engine/new-run.ts';
import type { SubWorkflow } from '../../core/workflows/file/calls.ts';
import { printCondition } from '../../core/workflows/file/condition.ts';
import type { ApproverPolicy, Json, Step, WorkflowDefinition } from '../../core/workflows/file/definition.ts';
import { readStages } from '../../core/workflows/file/pipeline-stages.ts';
import { childrenOf, kindRules } from '../../core/workflows/file/step-kinds.ts';
import { printTemplate } from '../../core/workflows/file/template.ts';
import { prepareStages } from '../../core/workflows/pipeline/check.ts';
import { commandNamed } from '../../core/workflows/pipeline/command-table.ts';
import { checkSource } from './check-source.ts';
import { refusalEnvelope } from './fit-envelope.ts';
import { argumentsOf, type RunRequest, readRequest } from './puppy.ts';
import type { WorkflowSource } from './read-source.ts';

export interface PlannedStep {
  /** As in `puppy show`; `[]` stands for the iterations of a loop. */
  readonly path: string;
  readonly kind: Step['kind'];
  readonly effect: Step['effect'];
  /** The command or prompt as written; empty for blocks. */
  readonly does: string;
  readonly when: string | null;
}

export interface PlannedGate {
  readonly path: string;
  readonly kind: 'approval' | 'input';
  /** As written. */
  readonly prompt: string;
  /** Empty if anyone may approve. */
  readonly approvers: readonly string[];
  readonly needed: number;
  readonly notInitiator: boolean;
  /** Stage of a pipeline, counted from 1. */
  readonly stage?: number;
}

export interface DryRunPlan {
  readonly name: string | null;
  readonly args: { readonly [name: string]: Json };
  readonly plan: readonly PlannedStep[];
  readonly gates: readonly PlannedGate[];
  readonly warnings: readonly string[];
}

/** Limits the output for a sub-workflow that is used very often; recursion is rejected before. */
const mostSteps = 2_000;

const anybody: ApproverPolicy = { named: [], needed: 1, notInitiator: false };

function stageGates(step: Extract<Step, { kind: 'pipeline' }>, path: string): readonly PlannedGate[] {
  return readStages(step.pipeline).flatMap((stage, index): PlannedGate[] => {
    const command = commandNamed(stage.tokens[0].text);
    if (!command?.sideEffects.includes('asks_person')) return [];
    const prepared = prepareStages([stage]);
    const run = prepared.ok ? prepared.value[0]?.run : undefined;
    const halt = run?.kind === 'gate' ? run.halt([]) : null;
    const kind = halt?.kind ?? (command.name === 'ask' ? 'input' : 'approval');
    return [gateOf(path, kind, halt?.prompt ?? '', anybody, index + 1)];
  });
}

const gateOf = (
  path: string,
  kind: PlannedGate['kind'],
  prompt: string,
  { named, needed, notInitiator }: ApproverPolicy,
  stage?: number,
): PlannedGate => ({
  path,
  kind,
  prompt,
  approvers: named,
  needed,
  notInitiator,
  ...(stage === undefined ? {} : { stage }),
});

function gatesOf(step: Step, path: string): readonly PlannedGate[] {
  const inner = step.kind === 'pipeline' ? stageGates(step, path) : [];
  const gate = step.kind === 'input' ? step.input : step.approval;
  if (!gate) return inner;
  const kind = step.kind === 'input' ? 'input' : 'approval';
  return [...inner, gateOf(path, kind, printTemplate(gate.prompt), gate.approvers)];
}

class Planner {
  readonly plan: PlannedStep[] = [];
  readonly gates: PlannedGate[] = [];
  readonly #children: readonly SubWorkflow[];
  readonly #root: WorkflowDefinition;

  constructor(root: WorkflowDefinition, children: readonly SubWorkflow[]) {
    this.#root = root;
    this.#children = children;
  }

  walk(definition: WorkflowDefinition, steps: readonly Step[], prefix: string): void {
    for (const step of steps) {
      if (this.plan.length >= mostSteps) return;
      const path = `${prefix}${step.path}`;
      const { kind, effect, when } = step;
      this.plan.push({
        path,
        kind,
        effect,
        does: kindRules<Step['kind']>(step.kind).summarize?.(step) ?? '',
        when: when && printCondition(when),
      });
      this.gates.push(...gatesOf(step, path));
      if (step.kind === 'workflow') this.#called(definition, step.file, path);
      for (const child of childrenOf(step)) this.walk(definition, child.steps, prefix);
    }
  }

  #called(definition: WorkflowDefinition, file: string, path: string): void {
    const parent = definition === this.#root ? null : definition;
    const called = this.#children.find((each) => each.parent === parent && each.file === file);
    if (called) this.walk(called.definition, called.definition.steps, `${path}/`);
  }
}

/** The envelope of the refusal, or `ok` with the plan as its only output. */
export function dryRun(source: WorkflowSource, root: string, request: RunRequest): Envelope {
  const read = readRequest(source, root, request.cwd);
  if (!read.ok) return refusalEnvelope(read.error);
  const given = argumentsOf(request);
  if (!given.ok) return refusalEnvelope(given.error);
  const { definition, children } = read.value;
  const { initiatedBy = null } = request;
  const args = admitRun({ definition, children, args: given.value, initiatedBy });
  if (!args.ok) return refusalEnvelope(args.error);
  const planner = new Planner(definition, children);
  planner.walk(definition, definition.steps, '');
  const { findings } = checkSource(source, realpathSync(root));
  const plan: DryRunPlan = {
    name: definition.name,
    args: args.value,
    plan: planner.plan,
    gates: planner.gates,
    warnings: findings.filter(({ severity }) => severity === 'warning').map(({ message }) => message),
  };
  return {
    protocolVersion: 1,
    ok: true,
    status: 'ok',
    dryRun: true,
    output: [plan as unknown as Json],
    requiresApproval: null,
    requiresInput: null,
  };
}
