import { type DryRunPlan, dryRun, type PlannedGate } from '../../library/puppy/dry-run.ts';
import { envelopeJson } from '../../library/puppy/fit-envelope.ts';
import type { RunRequest, WorkflowSource } from '../../library/puppy/standalone.ts';
import { columnsText } from '../table.ts';
import { printable, visibleExactLine, visibleTerminalLine } from '../visible-text.ts';
import type { BackendFlags } from './arguments.ts';
import { findingsText } from './findings.ts';
import { runningHost } from './open-backend.ts';
import { tell } from './tell.ts';

// `puppy run --dry-run`: the plan of a run, or the reason why it cannot start.

/** The operator in the running host, else the name in the environment. */
async function initiatorOf(flags: BackendFlags): Promise<string | null> {
  const host = await runningHost(flags);
  host?.close();
  return host ? 'operator' : process.env.PUPPY_APPROVAL_INITIATED_BY || null;
}

function gateText({ path, kind, prompt, approvers, needed, notInitiator, stage }: PlannedGate): string {
  const place =
    stage === undefined ? visibleTerminalLine(path) : `${visibleTerminalLine(path)}, stage ${stage}`;
  const who = approvers.length === 0 ? '' : `; ${needed} of ${visibleTerminalLine(approvers.join(', '))}`;
  const other = notInitiator ? '; not the initiator' : '';
  return `  ${place}: ${kind}: ${visibleExactLine(prompt)}${who}${other}`;
}

function planText({ name, args, plan, gates, warnings }: DryRunPlan): string {
  const part = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [title, ...lines];
  const steps = plan.map(({ path, kind, effect, does, when }) => [
    `  ${visibleTerminalLine(path)}`,
    kind,
    effect,
    `${visibleTerminalLine(does).slice(0, 100)}${when === null ? '' : `  (when ${visibleTerminalLine(when)})`}`,
  ]);
  const given = Object.entries(args).map(
    ([key, value]) => `  ${visibleTerminalLine(key)} = ${visibleTerminalLine(envelopeJson(value, 0))}`,
  );
  return [
    `Dry run of ${name === null ? 'the workflow' : visibleTerminalLine(name)}: nothing ran.`,
    ...part('Arguments:', given),
    ...part('Steps:', [columnsText([], steps).text]),
    ...part('Asks people:', gates.map(gateText)),
    ...part(
      'Warnings:',
      warnings.map((each) => `  ${visibleTerminalLine(each)}`),
    ),
  ].join('\n');
}

/** Exit code 2 if the run would be refused. */
export async function tellPlan(
  flags: BackendFlags,
  source: WorkflowSource,
  request: RunRequest,
  tool: boolean,
): Promise<number> {
  const envelope = dryRun(source, process.cwd(), { ...request, initiatedBy: await initiatorOf(flags) });
  if (!tool && envelope.ok) {
    const [plan] = envelope.output;
    process.stdout.write(`${printable(planText(plan as unknown as DryRunPlan))}\n`);
    return 0;
  }
  if (!tool) {
    const { errors, text } = findingsText(source);
    if (errors > 0) process.stderr.write(printable(`${text}\n`));
    if (errors > 0) return 2;
  }
  return tell(envelope, { tool, format: 'json' });
}
