/**
 * Static checks of a workflow file before it runs: references to missing or later steps, impossible gates,
 * text that a shell would read as commands, and pipelines with unknown stages.
 */
import { didYouMean } from '../../../contract/did-you-mean.ts';
import type { HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { asksPeople, isRace, notesOf, raceNote, type StepNote } from './check-step.ts';
import { type Condition, type Ref, resultFields, type Step, type WorkflowDefinition } from './definition.ts';
import { type Finding, type Locate, nowhere } from './finding.ts';
import { inStage, inStep } from './parts.ts';
import { pipelineProblems } from './pipeline-stages.ts';
import { printRef } from './refs.ts';
import { childrenOf } from './step-kinds.ts';
import { strangeNames } from './template.ts';
import type { RefUse, TextUse } from './text-uses.ts';
import { usesOf } from './uses.ts';

interface Sight {
  /** Steps that have run or were skipped before this one. */
  readonly before: Set<string>;
  readonly loops: ReadonlySet<string>;
  /** Inside a block that ends with its first success. */
  readonly race: boolean;
}

const allSteps = (steps: readonly Step[]): readonly Step[] =>
  steps.flatMap((step) => [step, ...childrenOf(step).flatMap((child) => allSteps(child.steps))]);

/** Step ids that later steps may reference: all inside, except the rounds of a loop. */
const leftBehind = (step: Step): readonly string[] => [
  step.id,
  ...childrenOf(step)
    .filter(({ branch }) => branch !== 'for_each')
    .flatMap(({ steps }) => steps.flatMap(leftBehind)),
];

const readsNo = (condition: Condition, wanted: (ref: Ref) => boolean): boolean => {
  if (condition.kind === 'not') return condition.operand.kind === 'ref' && wanted(condition.operand.ref);
  if (condition.kind === 'and') return readsNo(condition.left, wanted) || readsNo(condition.right, wanted);
  if (condition.kind !== 'compare' || condition.operator !== '==') return false;
  const { left, right } = condition;
  return left.kind === 'ref' && wanted(left.ref) && right.kind === 'value' && right.value === false;
};

/**
 * Warns about a reference to an answer that is never given, or a branch after a rejection that ends the run.
 */
function gateNote(step: Step, target: Step, ref: Ref): StepNote | null {
  const text = printRef(ref);
  const asks = target.approval !== null || target.kind === 'input' || target.kind === 'pipeline';
  if (ref.path[0] === 'approved' && !asks) {
    const message = say('workflowFiles.neverApproved', { ref: text, step: target.id });
    return { severity: 'warning', rule: 'no-gate', message, hint: say('workflowFiles.addApproval') };
  }
  if (ref.path[0] === 'reason' && !target.approval) {
    const message = say('workflowFiles.noReason', { ref: text, step: target.id });
    return { severity: 'warning', rule: 'no-gate', message, hint: say('workflowFiles.addApproval') };
  }
  if (ref.path[0] === 'response' && target.kind !== 'input' && target.kind !== 'pipeline') {
    const message = say('workflowFiles.noAnswer', { ref: text, step: target.id });
    return { severity: 'warning', rule: 'no-gate', message, hint: say('workflowFiles.nameInputStep') };
  }
  const isThis = (other: Ref): boolean => other.step === target.id && other.path[0] === 'approved';
  if (!target.approval || target.approval.onReject.then === 'continue') return null;
  if (!step.when || !readsNo(step.when, isThis)) return null;
  const message = say('workflowFiles.rejectionEndsRun', { step: target.id });
  const hint = say('workflowFiles.continueOnReject');
  return { severity: 'warning', rule: 'unreachable', message, hint };
}

/** In a shell, `$name` may be a shell variable and `$name.txt` a file. */
const withShellHint = (hint: HostText, field: string, name: string): HostText =>
  field === 'run'
    ? say('host.twoSentences', {
        first: hint,
        second: say('workflowFiles.shellVariable', { ref: `\${${name}}` }),
      })
    : hint;

class Check {
  readonly findings: Finding[] = [];
  readonly #steps: ReadonlyMap<string, Step>;
  readonly #args: readonly string[];
  readonly #locate: Locate;

  constructor(definition: WorkflowDefinition, locate: Locate) {
    this.#steps = new Map(allSteps(definition.steps).map((step) => [step.id, step]));
    this.#args = Object.keys(definition.args);
    this.#locate = locate;
  }

  #tell(path: string, { field, ...note }: StepNote): void {
    const message = path === '' ? note.message : inStep(path, note.message);
    this.findings.push({ ...note, message, path, ...this.#locate(path, field) });
  }

  #refNote(step: Step, { ref, field, after }: RefUse, sight: Sight): StepNote | null {
    if (sight.loops.has(ref.step)) return null;
    const text = printRef(ref);
    const target = this.#steps.get(ref.step);
    if (!target) {
      const meant = didYouMean(ref.step, [...this.#steps.keys()]);
      const hint =
        meant === null ? say('workflowFiles.nameEarlierStep') : say('host.didYouMean', { name: `$${meant}` });
      return {
        severity: 'error',
        rule: 'unknown-step',
        message: say('workflowFiles.unknownStep', { field, ref: text }),
        hint: withShellHint(hint, field, ref.step),
      };
    }
    const [name = ''] = ref.path;
    if (!resultFields.some((known) => known === name)) {
      const meant = didYouMean(name, resultFields);
      const hint =
        meant === null
          ? say('workflowFiles.resultFields', { fields: resultFields.join(', ') })
          : say('host.didYouMean', { name: `$${ref.step}.${meant}` });
      return {
        severity: 'error',
        rule: 'unknown-result',
        message: say('workflowFiles.unknownResult', { field, ref: text, name }),
        hint: withShellHint(hint, field, ref.step),
      };
    }
    if (!sight.before.has(ref.step) && !(after && ref.step === step.id)) {
      const first = say('workflowFiles.notRunYet', { field, ref: text });
      const message = target.path.includes('[]')
        ? say('host.twoSentences', { first, second: say('workflowFiles.runsInLoop') })
        : first;
      return { severity: 'error', rule: 'forward-reference', message };
    }
    return gateNote(step, target, ref);
  }

  #strange(path: string, { field, reader }: TextUse, kind: 'arg' | 'ref', name: string): void {
    // Names of one or two letters resemble too many others.
    const near = kind === 'arg' ? this.#args : [...this.#steps.keys()];
    const meant = name.length < 3 ? null : didYouMean(name, near);
    // Shells have variables of their own, and prices have dollar signs: warn only about a name close to a
    // known one.
    if (meant === null && (reader !== 'text' || kind === 'ref')) return;
    const written = kind === 'arg' ? `\${${name}}` : `$${name}`;
    this.#tell(path, {
      severity: reader === 'text' ? 'error' : 'warning',
      rule: 'unknown-name',
      field,
      message: say('workflowFiles.unknownName', { field, ref: written }),
      hint:
        meant === null ? say('workflowFiles.declareArgument') : say('host.didYouMeanQuoted', { name: meant }),
    });
  }

  #text(path: string, use: TextUse): void {
    for (const { kind, name } of strangeNames(use.template)) this.#strange(path, use, kind, name);
    if (use.reader !== 'pipeline') return;
    for (const { message, hint, stage } of pipelineProblems(use.template))
      this.#tell(path, {
        severity: 'error',
        rule: 'pipeline',
        field: use.field,
        message: inStage(stage, message),
        ...(hint === null ? {} : { hint }),
      });
  }

  #step(step: Step, sight: Sight): void {
    const uses = usesOf(step);
    for (const use of uses.refs) {
      const note = this.#refNote(step, use, sight);
      if (note) this.#tell(step.path, { ...note, field: use.field });
    }
    for (const use of uses.texts) this.#text(step.path, use);
    for (const note of notesOf(step)) this.#tell(step.path, note);
    if (sight.race && asksPeople(step)) this.#tell(step.path, raceNote);
  }

  steps(steps: readonly Step[], sight: Sight): void {
    for (const step of steps) {
      this.#step(step, sight);
      for (const child of childrenOf(step)) this.#children(step, child.branch, child.steps, sight);
      for (const id of leftBehind(step)) sight.before.add(id);
    }
  }

  #children(step: Step, branch: string, steps: readonly Step[], sight: Sight): void {
    const inside: Sight = {
      before: new Set(sight.before),
      loops: step.kind === 'for_each' ? new Set([...sight.loops, step.itemVar, step.indexVar]) : sight.loops,
      race: sight.race || isRace(step, branch),
    };
    if (branch.startsWith('on_') || branch === 'fallback') inside.before.add(step.id);
    // Branches start together, so none sees the results of another.
    if (branch === 'parallel')
      for (const one of steps) this.steps([one], { ...inside, before: new Set(sight.before) });
    else this.steps(steps, inside);
  }

  file(definition: WorkflowDefinition): void {
    for (const template of [...Object.values(definition.env), ...(definition.cwd ? [definition.cwd] : [])]) {
      this.#text('', { field: 'env', template, reader: 'text', after: false });
      for (const part of template) {
        if (part.kind === 'ref')
          this.#tell('', {
            severity: 'error',
            rule: 'forward-reference',
            field: 'env',
            message: say('workflowFiles.fileNamesStep', { ref: printRef(part.ref) }),
          });
      }
    }
    this.steps(definition.steps, { before: new Set(), loops: new Set(), race: false });
  }
}

/** Findings in the order of the file. */
export function checkDefinition(
  definition: WorkflowDefinition,
  locate: Locate = () => nowhere,
): readonly Finding[] {
  const check = new Check(definition, locate);
  check.file(definition);
  return check.findings;
}
