/**
 * Workflows that start workflows: every file is there, none starts itself again by a detour, and each gets the
 * arguments it needs, before the first step of the first one runs.
 */
import { didYouMean } from '../../lib/did-you-mean.ts';
import { childrenOf, type Step, type WorkflowDefinition } from './definition.ts';
import type { Finding } from './finding.ts';

const maxDepth = 16;

/** `from` is the file that names it, `file` what it wrote; null when there is none or it cannot be read. */
export type OpenCalled = (
  from: string,
  file: string,
) => { readonly id: string; readonly definition: WorkflowDefinition } | null;

type CallStep = Extract<Step, { kind: 'workflow' }>;

const callsOf = (steps: readonly Step[]): readonly CallStep[] =>
  steps.flatMap((step) => [
    ...(step.kind === 'workflow' ? [step] : []),
    ...childrenOf(step).flatMap((child) => callsOf(child.steps)),
  ]);

interface Visit {
  readonly id: string;
  readonly definition: WorkflowDefinition;
  /** The files that led here, this one last. */
  readonly way: readonly string[];
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

/** Findings bear the place in the file where the check began; further down they name the file. */
export function checkCalls(
  root: { readonly id: string; readonly definition: WorkflowDefinition },
  open: OpenCalled,
  lines: ReadonlyMap<string, number> = new Map(),
): readonly Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>([root.id]);
  const queue: Visit[] = [{ ...root, way: [root.id] }];
  for (let visit = queue.shift(); visit; visit = queue.shift()) {
    const { id, definition, way } = visit;
    const finding: Finder = (step, rule, message, hint) => ({
      severity: 'error',
      rule,
      message: id === root.id ? `Step "${step.path}": ${message}` : `${id}, step "${step.path}": ${message}`,
      path: id === root.id ? step.path : '',
      line: id === root.id ? (lines.get(step.path) ?? 0) : 0,
      ...(hint === undefined ? {} : { hint }),
    });
    for (const step of callsOf(definition.steps)) {
      const called = open(id, step.file);
      if (!called)
        findings.push(finding(step, 'no-workflow', `${step.file} is not there or cannot be read.`));
      else if (way.includes(called.id))
        findings.push(
          finding(
            step,
            'cycle',
            `${step.file} would start itself again, a cycle: ${[...way, called.id].join(' → ')}.`,
          ),
        );
      else if (way.length >= maxDepth)
        findings.push(finding(step, 'too-deep', `Workflows may start each other ${maxDepth} deep.`));
      else {
        findings.push(...argumentFindings(step, called.definition, finding));
        // A file reached by two ways is looked into again, for a cycle may lie on the second only.
        if (!seen.has(called.id) || reaches(called, open, new Set(way)))
          queue.push({ ...called, way: [...way, called.id] });
        seen.add(called.id);
      }
    }
  }
  return findings;
}

/** Whether a file leads back to one of `targets`; every file is looked into once. */
function reaches(
  start: { readonly id: string; readonly definition: WorkflowDefinition },
  open: OpenCalled,
  targets: ReadonlySet<string>,
): boolean {
  const seen = new Set<string>([start.id]);
  const queue = [start];
  for (let next = queue.pop(); next; next = queue.pop()) {
    for (const step of callsOf(next.definition.steps)) {
      const called = open(next.id, step.file);
      if (!called || seen.has(called.id)) continue;
      if (targets.has(called.id)) return true;
      seen.add(called.id);
      queue.push(called);
    }
  }
  return false;
}
