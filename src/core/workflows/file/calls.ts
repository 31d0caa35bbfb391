/**
 * Workflows that start workflows: every file is there, none starts itself again by a detour, and each gets the
 * arguments it needs, before the first step of the first one runs.
 */
import { didYouMean } from '../../lib/did-you-mean.ts';
import { asksPeople, isRace, raceNote } from './check-step.ts';
import { childrenOf, type Step, type WorkflowDefinition } from './definition.ts';
import { type Finding, type Locate, nowhere } from './finding.ts';

const maxDepth = 16;

/** `from` is the file that names it, `file` what it wrote; null when there is none or it cannot be read. */
export type OpenCalled = (
  from: string,
  file: string,
) => { readonly id: string; readonly definition: WorkflowDefinition } | null;

type CallStep = Extract<Step, { kind: 'workflow' }>;

interface Call {
  readonly step: CallStep;
  /** Beside branches of which the first one ends them all. */
  readonly race: boolean;
}

const callsOf = (steps: readonly Step[], race = false): readonly Call[] =>
  steps.flatMap((step) => [
    ...(step.kind === 'workflow' ? [{ step, race }] : []),
    ...childrenOf(step).flatMap((child) => callsOf(child.steps, race || isRace(step, child.branch))),
  ]);

/** Whether a step in it, at any depth, stops for a person. */
const asksAnybody = (steps: readonly Step[]): boolean =>
  steps.some((step) => asksPeople(step) || childrenOf(step).some((child) => asksAnybody(child.steps)));

interface Called {
  readonly id: string;
  readonly definition: WorkflowDefinition;
}

interface Way {
  readonly from: string;
  readonly step: CallStep;
  /** The step of the first file by which this one was reached. */
  readonly by: string;
}

/** What is known of a file that was looked through. */
interface Seen {
  /** How many files lie below each other from here on, this one counted. */
  readonly depth: number;
  /** It, or one that it starts, stops for a person. */
  readonly asks: boolean;
}

function argumentFindings(step: CallStep, called: WorkflowDefinition, finding: Finder): readonly Finding[] {
  const names = Object.keys(called.args);
  const missing = names
    .filter((name) => called.args[name]?.default === undefined && !Object.hasOwn(step.args, name))
    .map((name) => finding(step, 'missing-argument', `${step.file} needs the argument "${name}".`));
  if (called.extraArgs) return missing;
  const extra = Object.keys(step.args)
    .filter((name) => !names.includes(name))
    .map((name) => {
      const meant = didYouMean(name, names);
      const hint = meant === null ? undefined : `Did you mean "${meant}"?`;
      return finding(step, 'unknown-argument', `${step.file} has no argument "${name}".`, hint);
    });
  return [...missing, ...extra];
}

type Finder = (step: Step, rule: string, message: string, hint?: string) => Finding;

/** Looks through each file once, however many ways lead to it (T25). */
class CallCheck {
  readonly findings: Finding[] = [];
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
      message: own ? `Step "${step.path}": ${message}` : `${id}, step "${step.path}": ${message}`,
      path: own ? step.path : '',
      ...this.#locate(own ? step.path : by, 'workflow'),
      ...(hint === undefined ? {} : { hint }),
    });
  }

  /** `way`: the files that led here, this one last. */
  file({ id, definition }: Called, way: readonly string[], by: string): Seen {
    const finding = this.#finder(id, by);
    let depth = 1;
    let asks = asksAnybody(definition.steps);
    for (const { step, race } of callsOf(definition.steps)) {
      const below = this.#call({ from: id, step, by: by === '' ? step.path : by }, finding, way);
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

  /** Null: it leads nowhere, which was told. */
  #call({ from, step, by }: Way, finding: Finder, way: readonly string[]): Seen | null {
    const tell = (rule: string, message: string): null => {
      this.findings.push(finding(step, rule, message));
      return null;
    };
    const called = this.#open(from, step.file);
    if (!called) return tell('no-workflow', `${step.file} is not there or cannot be read.`);
    if (way.includes(called.id)) {
      const round = [...way, called.id].join(' → ');
      return tell('cycle', `${step.file} would start itself again, a cycle: ${round}.`);
    }
    this.findings.push(...argumentFindings(step, called.definition, finding));
    const before = this.#seen.get(called.id);
    if (way.length + (before?.depth ?? 1) > maxDepth)
      return tell('too-deep', `Workflows may start each other ${maxDepth} deep.`);
    return before ?? this.file(called, [...way, called.id], by);
  }
}

/** Findings bear the place in the file where the check began, its own first; further down they name the file. */
export function checkCalls(
  root: Called,
  open: OpenCalled,
  locate: Locate = () => nowhere,
): readonly Finding[] {
  const check = new CallCheck(root.id, open, locate);
  check.file(root, [root.id], '');
  return check.findings.toSorted((one, other) => Number(one.path === '') - Number(other.path === ''));
}
