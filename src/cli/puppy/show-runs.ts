import path from 'node:path';
import { envelopeJson } from '../../library/puppy/fit-envelope.ts';
import type { RunCommands, RunDetail, RunItem, RunLogView } from '../../library/puppy/standalone.ts';
import { copy } from '../copy.ts';
import { columnsText, type SafeText, type TableCell, type Tone } from '../table.ts';
import { commandFailure, shownText } from '../terminal.ts';
import { printableJson, visibleExactLine, visibleTerminalLine } from '../visible-text.ts';
import { type BackendFlags, requiredWord, wholeNumberFlag } from './arguments.ts';
import { valueOrFail, withBackend } from './open-backend.ts';

// `puppy list`, `show` and `log`: runs, open gates and the complete history.

const print = (json: boolean, value: unknown, text: string | SafeText): void =>
  void process.stdout.write(`${json ? printableJson(envelopeJson(value)) : shownText(text)}\n`);

const statuses = [
  'ok',
  'failed',
  'cancelled',
  'running',
  'interrupted',
  'waiting',
  'needs_approval',
  'needs_input',
];

function ageText(seconds: number): string {
  if (seconds < 120) return copy('cliPuppy.seconds', { count: seconds });
  if (seconds < 7_200) return copy('cliPuppy.minutes', { count: Math.round(seconds / 60) });
  return seconds < 172_800
    ? copy('cliPuppy.hours', { count: Math.round(seconds / 3_600) })
    : copy('cliPuppy.days', { count: Math.round(seconds / 86_400) });
}

const titleOf = (item: RunItem): string =>
  visibleTerminalLine(item.name ?? item.file ?? copy('cliPuppy.pipeline'));

const runTones: Readonly<Record<string, Tone>> = {
  ok: 'good',
  failed: 'bad',
  cancelled: 'quiet',
  running: 'busy',
  interrupted: 'attention',
  waiting: 'attention',
  needs_approval: 'attention',
  needs_input: 'attention',
};

function listText(items: readonly RunItem[], place: string): string | SafeText {
  if (items.length === 0) return copy('cliPuppy.noRuns', { place });
  const rows = items.map((item): readonly TableCell[] => {
    const [question] = item.asks;
    const asks = question ? `${question.approvalId}  ${visibleExactLine(question.prompt)}`.trim() : '';
    return [
      item.id.slice(0, 8),
      { text: copy(`cliPuppy.status_${item.status}`), tone: runTones[item.status] ?? 'quiet' },
      ageText(item.ageSeconds),
      titleOf(item),
      asks || visibleTerminalLine(item.message ?? ''),
    ];
  });
  return columnsText(
    [
      copy('cliPuppy.headRun'),
      copy('cliHeads.state'),
      copy('cliPuppy.headAge'),
      copy('cliPuppy.headWorkflow'),
      copy('cliPuppy.headQuestion'),
    ],
    rows,
  );
}

type RunCompare = (a: RunItem, b: RunItem) => number;

const newestFirst: RunCompare = (a, b) => a.ageSeconds - b.ageSeconds;

const runOrders: Readonly<Record<string, RunCompare>> = {
  newest: newestFirst,
  name: (a, b) => titleOf(a).localeCompare(titleOf(b)) || newestFirst(a, b),
  state: (a, b) => a.status.localeCompare(b.status) || newestFirst(a, b),
};

interface ListFlags extends BackendFlags {
  readonly status?: string;
  readonly archived?: boolean;
  readonly sort?: string;
  readonly limit: string;
}

export async function runRuns(_args: readonly string[], flags: ListFlags): Promise<number> {
  const { status, sort = 'newest' } = flags;
  const order = Object.entries(runOrders).find(([name]) => name === sort)?.[1];
  if (!order)
    throw commandFailure('invalid_input', 'cliPuppy.oneOf', {
      flag: '--sort',
      values: Object.keys(runOrders).join(', '),
    });
  if (status !== undefined && !statuses.includes(status)) {
    throw commandFailure('invalid_input', 'cliPuppy.oneOf', {
      flag: '--status',
      values: statuses.join(', '),
    });
  }
  const limit = wholeNumberFlag('--limit', flags.limit, 1) ?? 50;
  return withBackend(flags, async (backend) => {
    const found = await backend.list({
      limit,
      archived: flags.archived === true,
      ...(status === undefined ? {} : { status }),
    });
    const runs = [...found].sort(order);
    print(flags.json === true, { runs }, listText(runs, backend.place));
    return 0;
  });
}

/** A gate step is also done after a rejection; people read the decision. */
function shownState({ path, state }: RunDetail['steps'][number], decisions: RunDetail['decisions']): string {
  if (state !== 'done') return state;
  const last = decisions.findLast((each) => each.path === path && each.decision !== 'withdrawn')?.decision;
  if (last === 'reject') return copy('cliPuppy.step_rejected');
  return last === 'timeout' ? copy('cliPuppy.step_unanswered') : state;
}

function stepLine(step: RunDetail['steps'][number], decisions: RunDetail['decisions']): readonly string[] {
  const { path, attempts, output, error, now } = step;
  const said = visibleTerminalLine(error ?? now ?? output.trim()).slice(0, 100);
  const tries = attempts > 1 ? copy('cliPuppy.tries', { count: attempts }) : '';
  return [`  ${visibleTerminalLine(path)}`, shownState(step, decisions), tries, said];
}

export function detailText(run: RunDetail): string {
  const asks = run.asks.map(({ path, prompt, approvalId, token, expiresAt }) => {
    const by = token === undefined ? `--id ${approvalId}` : `--token ${token}`;
    const until = expiresAt ?? copy('cliPuppy.untilAnswered');
    return `  ${visibleTerminalLine(path)}: ${visibleExactLine(prompt)}\n    ${copy('cliPuppy.resumeBy', { by, until })}`;
  });
  const decisions = run.decisions.map(({ path, decision, by, reason, contentHash }) => {
    const decided = copy('cliPuppy.decidedBy', {
      path: visibleTerminalLine(path),
      decision,
      by: visibleTerminalLine(by ?? copy('cliPuppy.unnamed')),
      hash: contentHash.slice(0, 12),
    });
    return `  ${decided}${reason === null ? '' : `: ${visibleTerminalLine(reason)}`}`;
  });
  const part = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', title, ...lines];
  return [
    `${run.id}  ${copy(`cliPuppy.status_${run.status}`)}`,
    `${copy('cliPuppy.workflowLine', { name: titleOf(run) })}${run.file === null ? '' : ` (${visibleTerminalLine(run.file)})`}`,
    run.initiatedBy === null
      ? copy('cliPuppy.startedLine', { time: run.createdAt })
      : copy('cliPuppy.startedBy', { time: run.createdAt, by: visibleTerminalLine(run.initiatedBy) }),
    ...(run.message === null ? [] : [copy('cliPuppy.saidLine', { text: visibleTerminalLine(run.message) })]),
    ...part(
      copy('cliPuppy.steps'),
      run.steps.length === 0
        ? []
        : [
            columnsText(
              [],
              run.steps.map((step) => stepLine(step, run.decisions)),
            ).text,
          ],
    ),
    ...part(copy('cliPuppy.asksPart'), asks),
    ...part(copy('cliPuppy.decidedPart'), decisions),
  ].join('\n');
}

export async function runShowRun(
  args: readonly string[],
  flags: BackendFlags & { readonly step?: string },
): Promise<number> {
  const run = requiredWord(args, 'giveRun');
  const { step, json = false } = flags;
  return withBackend(flags, async (backend) => {
    if (step === undefined) {
      const detail = valueOrFail(await backend.show(run));
      print(json, detail, detailText(detail));
      return 0;
    }
    const output = valueOrFail(await backend.step(run, step));
    print(json, { step, output }, output.replace(/\n$/, ''));
    return 0;
  });
}

function eventText({ seq, at, event }: RunLogView['events'][number]): string {
  const { type, ...rest } = event;
  const text = envelopeJson(rest, 0);
  return `${String(seq).padStart(4)}  ${new Date(at).toISOString()}  ${type}  ${visibleTerminalLine(text.length > 200 ? `${text.slice(0, 199)}…` : text)}`;
}

async function verifyAll(backend: RunCommands, json: boolean): Promise<number> {
  const { ids, missing } = await backend.all();
  const broken: { readonly id: string; readonly brokenAt: number }[] = [];
  let events = 0;
  for (const id of ids) {
    const log = valueOrFail(await backend.log(id));
    events += log.events.length;
    if (log.brokenAt !== null) broken.push({ id, brokenAt: log.brokenAt });
  }
  const whole = broken.length === 0 && !missing;
  const counts = { runs: ids.length, broken: broken.length };
  const verdict = whole
    ? copy('cliPuppy.verifiedAll', { runs: ids.length, events })
    : missing
      ? copy('cliPuppy.notWholeAndGone', { ...counts, missing })
      : copy('cliPuppy.notWhole', counts);
  const lines = broken.map(({ id, brokenAt }) => copy('cliPuppy.brokenEvent', { run: id, event: brokenAt }));
  const told = { verified: whole, runs: ids.length, events, broken, missing };
  print(json, told, [...lines, verdict].join('\n'));
  return whole ? 0 : 1;
}

async function exportRun(backend: RunCommands, run: string, file: string, json: boolean): Promise<number> {
  const place = path.resolve(file);
  const { id, events, head, texts } = valueOrFail(await backend.export(run, place));
  const lines = [copy('cliPuppy.exported', { place, events, texts }), copy('cliPuppy.lastEvent', { head })];
  print(json, { id, file: place, events, head, texts }, lines.join('\n'));
  return 0;
}

/** Exit code 1 if the history is damaged. */
export async function runLog(
  args: readonly string[],
  flags: BackendFlags & { readonly verify?: boolean; readonly export?: string },
): Promise<number> {
  const { export: file, verify = false, json = false } = flags;
  if (file !== undefined) {
    if (verify) throw commandFailure('invalid_input', 'cliPuppy.verifyOrExport');
    const run = requiredWord(args, 'giveRun');
    return withBackend(flags, (backend) => exportRun(backend, run, file, json));
  }
  if (verify && (args[0] ?? '') === '') return withBackend(flags, (backend) => verifyAll(backend, json));
  const run = requiredWord(args, 'giveRun');
  return withBackend(flags, async (backend) => {
    const log = valueOrFail(await backend.log(run));
    const verdict =
      log.brokenAt === null
        ? copy('cliPuppy.verified', { events: log.events.length })
        : copy('cliPuppy.notWholeRun', { event: log.brokenAt });
    const lines = log.events.map(eventText);
    const told = {
      id: log.id,
      ...(verify ? { verified: log.brokenAt === null, brokenAt: log.brokenAt } : {}),
    };
    print(json, { ...told, events: log.events }, [...lines, ...(verify ? [verdict] : [])].join('\n'));
    return verify && log.brokenAt !== null ? 1 : 0;
  });
}
