/**
 * Checks workflows that start workflows before the first step runs: every file exists, none starts itself
 * through others, and each receives the arguments it needs.
 */
import { didYouMean } from '../../../contract/did-you-mean.ts';
import type { HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';
import { asksPeople, isRace, raceNote } from './check-step.ts';
import type { Step, WorkflowDefinition } from './definition.ts';
import { type Finding, type Locate, nowhere } from './finding.ts';
import { inPart, inStep } from './parts.ts';
import { childrenOf } from './step-kinds.ts';

const maxDepth = 16;

/** `from`: the calling file; `file`: the name that it wrote. `null` if the file is missing or unreadable. */
export type OpenCalled = (
  from: string,
  file: string,
) => { readonly id: string; readonly definition: WorkflowDefinition } | null;

export interface SubWorkflow {
  /** The definition that names it; `null` for the first file. */
  readonly parent: WorkflowDefinition | null;
  /** File name as the step writes it. */
  readonly file: string;
  readonly definition: WorkflowDefinition;
}

export interface CheckedCalls {
  /** They point into the root file, its own first; findings of called files name their file. */
  readonly findings: readonly Finding[];
  /**
   * All workflows that it starts, directly or through others, by `callKey`, depth first; complete if no
   * finding is an error.
   */
  readonly children: ReadonlyMap<string, SubWorkflow>;
}

/** Key of one call: the id of the calling file, and the name that it wrote. */
export const callKey = (from: string, file: string): string => `${from}\0${file}`;

type CallStep = Extract<Step, { kind: 'workflow' }>;

interface Call {
  readonly step: CallStep;
  /** Inside a parallel block that ends with its first success. */
  readonly race: boolean;
}

const callsOf = (steps: readonly Step[], race = false): readonly Call[] =>
  steps.flatMap((step) => [
    ...(step.kind === 'workflow' ? [{ step, race }] : []),
    ...childrenOf(step).flatMap((child) => callsOf(child.steps, race || isRace(step, child.branch))),
  ]);

const asksAnybody = (steps: readonly Step[]): boolean =>
  steps.some((step) => asksPeople(step) || childrenOf(step).some((child) => asksAnybody(child.steps)));

interface Called {
  readonly id: string;
  readonly definition: WorkflowDefinition;
}

interface Way {
  readonly from: Called;
  readonly step: CallStep;
  /** Step of the first file that led to this one. */
  readonly by: string;
}

/** Result of checking one file. */
interface Seen {
  /** Depth of nested files from here, this one included. */
  readonly depth: number;
  /** This file, or one that it starts, asks a person. */
  readonly asks: boolean;
}

function argumentFindings(step: CallStep, called: WorkflowDefinition, finding: Finder): readonly Finding[] {
  const names = Object.keys(called.args);
  const missing = names
    .filter((name) => called.args[name]?.default === undefined && !Object.hasOwn(step.args, name))
    .map((name) =>
      finding(step, 'missing-argument', say('workflowFiles.missingArgument', { file: step.file, name })),
    );
  if (called.extraArgs) return missing;
  const extra = Object.keys(step.args)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const meant = didYouMean(name, names);
      const hint = meant === null ? undefined : say('host.didYouMeanQuoted', { name: meant });
      const message = say('workflowFiles.unknownArgument', { file: step.file, name });
      return finding(step, 'unknown-argument', message, hint);
    });
  return [...missing, ...extra];
}

type Finder = (step: Step, rule: string, message: HostText, hint?: HostText) => Finding;

/** Checks each file once, however many paths lead to it (T25). */
class CallCheck {
  readonly findings: Finding[] = [];
  /** By `callKey`. */
  readonly children = new Map<string, SubWorkflow>();
  readonly #seen = new Map<string, Seen>();
  readonly #root: string;
  readonly #open: OpenCalled;
  readonly #locate: Locate;

  constructor(root: string, open: OpenCalled, locate: Locate) {
    this.#root = root;
    this.#open = open;
    this.#locate = locate;
  }

  /** `by`: the step of the first file that led here; empty in that file itself. */
  #finder(id: string, by: string): Finder {
    const own = id === this.#root;
    return (step, rule, message, hint) => ({
      severity: 'error',
      rule,
      message: own
        ? inStep(step.path, message)
        : inPart(say('workflowFiles.partFileStep', { file: id, step: step.path }), message),
      path: own ? step.path : '',
      ...this.#locate(own ? step.path : by, 'workflow'),
      ...(hint === undefined ? {} : { hint }),
    });
  }

  /** `way`: the files that led here, this one last. */
  file(from: Called, way: readonly string[], by: string): Seen {
    const { id, definition } = from;
    const finding = this.#finder(id, by);
    let depth = 1;
    let asks = asksAnybody(definition.steps);
    for (const { step, race } of callsOf(definition.steps)) {
      const below = this.#call({ from, step, by: by === '' ? step.path : by }, finding, way);
      if (!below) continue;
      if (race && below.asks)
        this.findings.push(finding(step, raceNote.rule, raceNote.message, raceNote.hint));
      depth = Math.max(depth, below.depth + 1);
      asks ||= below.asks;
    }
    const seen = { depth, asks };
    this.#seen.set(id, seen);
    return seen;
  }

  /** `null` if the called file cannot be checked; the finding is recorded. */
  #call({ from, step, by }: Way, finding: Finder, way: readonly string[]): Seen | null {
    const tell = (rule: string, message: HostText): null => {
      this.findings.push(finding(step, rule, message));
      return null;
    };
    const called = this.#open(from.id, step.file);
    if (!called) return tell('no-workflow', say('workflowFiles.missingFile', { file: step.file }));
    const parent = from.id === this.#root ? null : from.definition;
    const { definition } = called;
    this.children.set(callKey(from.id, step.file), { parent, file: step.file, definition });
    if (way.includes(called.id)) {
      const round = [...way, called.id].join(' → ');
      return tell('cycle', say('workflowFiles.callCycle', { file: step.file, round }));
    }
    this.findings.push(...argumentFindings(step, definition, finding));
    const before = this.#seen.get(called.id);
    if (way.length + (before?.depth ?? 1) > maxDepth)
      return tell('too-deep', say('workflowFiles.callsTooDeep', { n: maxDepth }));
    return before ?? this.file(called, [...way, called.id], by);
  }
}

export function checkCalls(root: Called, open: OpenCalled, locate: Locate = () => nowhere): CheckedCalls {
  const check = new CallCheck(root.id, open, locate);
  check.file(root, [root.id], '');
  const findings = check.findings.toSorted(
    (one, other) => Number(one.path === '') - Number(other.path === ''),
  );
  return { findings, children: check.children };
}
