import { type DryRunPlan, dryRun, type PlannedGate } from '../../library/puppy/dry-run.ts';
import { envelopeJson } from '../../library/puppy/fit-envelope.ts';
import type { RunRequest, WorkflowSource } from '../../library/puppy/standalone.ts';
import { copy } from '../copy.ts';
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
    stage === undefined
      ? visibleTerminalLine(path)
      : copy('cliPuppy.stage', { path: visibleTerminalLine(path), stage });
  const who =
    approvers.length === 0
      ? ''
      : `; ${copy('cliPuppy.approvers', { needed, approvers: visibleTerminalLine(approvers.join(', ')) })}`;
  const other = notInitiator ? `; ${copy('cliPuppy.notInitiator')}` : '';
  return `  ${place}: ${kind}: ${visibleExactLine(prompt)}${who}${other}`;
}

function planText({ name, args, plan, gates, warnings }: DryRunPlan): string {
  const part = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [title, ...lines];
  const steps = plan.map(({ path, kind, effect, does, when }) => [
    `  ${visibleTerminalLine(path)}`,
    kind,
    effect,
    `${visibleTerminalLine(does).slice(0, 100)}${when === null ? '' : `  ${copy('cliPuppy.when', { condition: visibleTerminalLine(when) })}`}`,
  ]);
  const given = Object.entries(args).map(
    ([key, value]) => `  ${visibleTerminalLine(key)} = ${visibleTerminalLine(envelopeJson(value, 0))}`,
  );
  return [
    name === null
      ? copy('cliPuppy.dryRunUnnamed')
      : copy('cliPuppy.dryRun', { name: visibleTerminalLine(name) }),
    ...part(copy('cliPuppy.arguments'), given),
    ...part(copy('cliPuppy.steps'), [columnsText([], steps).text]),
    ...part(copy('cliPuppy.asksPeople'), gates.map(gateText)),
    ...part(
      copy('cliPuppy.warnings'),
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
