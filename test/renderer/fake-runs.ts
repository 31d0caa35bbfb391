/** Workflow files and runs of the fake host: parsed by the real parser, with scripted runs. */
import { createHash } from 'node:crypto';
import type { Approval } from '../../src/contract/approvals.ts';
import { textError } from '../../src/contract/errors.ts';
import type { MethodInput, MethodName, MethodOutput } from '../../src/contract/methods.ts';
import { err, ok, type Result } from '../../src/contract/result.ts';
import type { RunAgain, RunGate, RunStep, RunSummary } from '../../src/contract/workflow-methods.ts';
import { graphOf } from '../../src/core/workflows/file/graph.ts';
import { mermaidOf } from '../../src/core/workflows/file/mermaid.ts';
import { readWorkflow } from '../../src/core/workflows/file/read-workflow.ts';
import type { FakeFeed } from './fake-feed.ts';
import type { Handler } from './fake-host.ts';
import { examplesFolder, run as newRun, releaseText, runsFolder } from './run-data.ts';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const ended = (status: RunSummary['status']): boolean => status !== 'running' && status !== 'waiting';

function viewOf(text: string) {
  const { definition, findings } = readWorkflow(text);
  const graph = definition && graphOf(definition);
  return {
    findings: findings.map((one) => ({ ...one, hint: one.hint ?? '' })),
    graph: graph && { ...graph, nodes: [...graph.nodes], edges: [...graph.edges] },
    mermaid: graph ? mermaidOf(graph) : '',
    args: Object.entries(definition?.args ?? {}).map(([name, arg]) => ({
      name,
      type: arg.type,
      description: arg.description ?? '',
      required: arg.default === undefined,
      defaultJson: arg.default === undefined ? '' : JSON.stringify(arg.default),
      values: (arg.values ?? []).map((value) => JSON.stringify(value)),
    })),
    hash: hashOf(text),
  };
}

export const again = (
  from: string,
  asked: string[],
  once: string[],
  change: Partial<RunAgain> = {},
): RunAgain => ({
  from,
  refusal: '',
  nearest: '',
  asked: { paths: asked, all: asked.length },
  once: { paths: once, all: once.length },
  ...change,
});

type Got = MethodOutput<'runs.get'>;

export class FakeRuns {
  /** Text by absolute path. */
  readonly files: Record<string, string> = { [`${examplesFolder}/greeting.puppy`]: releaseText };
  readonly runs = new Map<string, RunSummary>();
  /** Overrides by start step; other steps use default values. */
  readonly places: Record<string, RunAgain> = {};
  readonly outputs: Record<string, MethodOutput<'runs.step'>> = {};
  events: MethodOutput<'runs.log'>['events'] = [];
  verified = true;
  private readonly more = new Map<string, Pick<Got, 'argsJson' | 'outputJson'>>();
  private readonly feed: FakeFeed;

  constructor(feed: FakeFeed) {
    this.feed = feed;
    feed.put('runs', { runs: {} });
  }

  /** Publishes a run with its steps and gates; adds the open gates to the inbox. */
  show(summary: RunSummary, steps: readonly RunStep[] = [], gates: readonly RunGate[] = []): void {
    this.runs.set(summary.id, summary);
    this.feed.patch('runs', { op: 'set', path: ['runs', summary.id], value: summary });
    this.feed.put(`run:${summary.id}`, {
      run: summary,
      steps: Object.fromEntries(steps.map((step) => [step.path, step])),
      gates: Object.fromEntries(gates.map((gate) => [gate.id, gate])),
    });
  }

  ask(question: Approval): void {
    this.feed.patch('approvals', { op: 'set', path: ['waiting', question.id], value: question });
  }

  changeRun(id: string, change: Partial<RunSummary>): void {
    const next = { ...(this.runs.get(id) ?? newRun(id)), ...change };
    this.runs.set(id, next);
    this.feed.patch('runs', { op: 'set', path: ['runs', id], value: next });
    this.feed.patch(`run:${id}`, { op: 'set', path: ['run'], value: next });
  }

  setStep(id: string, step: RunStep): void {
    this.feed.patch(`run:${id}`, { op: 'set', path: ['steps', step.path], value: step });
  }

  setGate(id: string, gate: RunGate): void {
    this.feed.patch(`run:${id}`, { op: 'set', path: ['gates', gate.id], value: gate });
  }

  table(): Partial<Record<MethodName, Handler>> {
    return { ...this.fileTable(), ...this.runTable() };
  }

  private fileTable(): Partial<Record<MethodName, Handler>> {
    return {
      'workflows.list': () =>
        ok({ folder: runsFolder, files: Object.keys(this.files).map((path) => this.file(path)) }),
      'workflows.read': ({ file }: { file: string }) => {
        const text = this.files[file];
        if (text === undefined) return err(textError('not_found', 'There is no such workflow file.'));
        return ok({ ...viewOf(text), path: file, text });
      },
      'workflows.check': ({ text }: { text: string }) => ok(viewOf(text)),
      'workflows.save': ({ file, text, was }: MethodInput<'workflows.save'>) => {
        const path = `${runsFolder}/${file}`;
        const before = this.files[path];
        if ((before === undefined ? null : hashOf(before)) !== was)
          return err(textError('conflict', 'The file has changed since it was read; nothing was written.'));
        this.files[path] = text;
        return ok({ ...viewOf(text), path });
      },
      'workflows.remove': ({ file }: { file: string }) => {
        delete this.files[`${runsFolder}/${file}`];
        return ok({});
      },
    };
  }

  private file(path: string) {
    const text = this.files[path] ?? '';
    const { definition, findings } = readWorkflow(text);
    const count = (wanted: string): number => findings.filter(({ severity }) => severity === wanted).length;
    return {
      path,
      name: definition?.name ?? path.split('/').at(-1) ?? '',
      args: viewOf(text).args,
      description: definition?.description ?? '',
      errors: count('error'),
      warnings: count('warning'),
      changedAt: Date.now(),
      example: path.startsWith(examplesFolder),
    };
  }

  private runTable(): Partial<Record<MethodName, Handler>> {
    return {
      'runs.start': ({ file = '', args }: MethodInput<'runs.start'>) => {
        const id = `run-new-${this.runs.size + 1}`;
        const change = { status: 'running', endedAt: null, stepsDone: 0, createdAt: Date.now() } as const;
        this.show(newRun(id, { ...change, file, name: this.file(file).name }));
        this.more.set(id, { argsJson: JSON.stringify(args ?? {}), outputJson: '' });
        return ok(this.runs.get(id));
      },
      'runs.list': (wanted: MethodInput<'runs.list'>) => this.list(wanted),
      'runs.get': ({ run }: { run: string }) => this.get(run),
      'runs.places': ({ from = '' }: MethodInput<'runs.places'>) =>
        ok({ places: [this.places[from] ?? again(from, ['approve'], ['each[0].deploy'])], more: 0 }),
      'runs.step': ({ path }: { path: string }) =>
        ok(this.outputs[path] ?? { stdout: `all of ${path}`, json: '', error: '' }),
      'runs.log': ({ after = 0, limit = 200 }: MethodInput<'runs.log'>) => this.log(after, limit),
      'runs.piece': ({ run, from }: MethodInput<'runs.piece'>) => this.piece(run, from?.line ?? 0),
      'runs.cancel': ({ run }: { run: string }) =>
        this.turn(run, { status: 'cancelled', endedAt: Date.now(), gates: [] }),
      'runs.again': ({ run }: { run: string }) => {
        const id = `run-again-${this.runs.size + 1}`;
        const before = this.runs.get(run);
        this.show(newRun(id, { ...before, id, status: 'running', endedAt: null, stepsDone: 0 }));
        return ok(this.runs.get(id));
      },
      'runs.archive': ({ archived, runs = [] }: MethodInput<'runs.archive'>) => {
        for (const run of runs) this.turn(run, { archivedAt: archived ? Date.now() : null });
        return ok({ runs });
      },
      'runs.retry': ({ run }: { run: string }) =>
        this.turn(run, { status: 'running', endedAt: null, message: '' }),
    };
  }

  private log(after: number, limit: number): Result<MethodOutput<'runs.log'>> {
    const rest = this.events.filter(({ seq }) => seq > after);
    const page = { events: rest.slice(0, limit), hasMore: rest.length > limit, total: this.events.length };
    if (after > 0) return ok({ ...page, verified: null, brokenAt: null });
    return ok({ ...page, verified: this.verified, brokenAt: this.verified ? null : 1 });
  }

  /** Returns a thousand lines at a time: a header line, then the events. */
  private piece(run: string, from: number): Result<MethodOutput<'runs.piece'>> {
    const events = this.events.length;
    const all = [{ kind: 'kennel-run', run, events, texts: 0 }, ...this.events];
    const text = all.slice(from, from + 1_000).map((line) => `${JSON.stringify(line)}\n`);
    const line = from + text.length;
    const next = line < all.length ? { events, line, at: 0 } : null;
    return ok({ text: text.join(''), lines: all.length, events, next });
  }

  private turn(id: string, change: Partial<RunSummary>): Result<unknown> {
    this.changeRun(id, change);
    return ok(this.runs.get(id));
  }

  private list(query: MethodInput<'runs.list'>): Result<unknown> {
    const { text = '', status, archived, before, limit = 50 } = query;
    const shown = archived ?? (text === '' ? false : undefined);
    const all = [...this.runs.values()]
      .filter(({ archivedAt }) => shown === undefined || (archivedAt !== null) === shown)
      .filter((one) => (status ?? one.status) === one.status)
      .filter((one) =>
        `${one.name} ${one.file} ${one.message} ${one.id}`.toLowerCase().includes(text.toLowerCase()),
      )
      .sort((a, b) => b.createdAt - a.createdAt);
    const from = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1;
    return ok({ runs: all.slice(from, from + limit), hasMore: all.length > from + limit });
  }

  private get(id: string): Result<unknown> {
    const run = this.runs.get(id);
    if (run === undefined) return err(textError('not_found', `There is no run "${id}".`));
    const { steps, gates } = this.feed.read<{
      steps: Record<string, RunStep>;
      gates: Record<string, RunGate>;
    }>(`run:${id}`);
    const { graph } = viewOf(releaseText);
    const known = this.more.get(id) ?? { argsJson: '{"version":"1.4.0"}', outputJson: '' };
    const outputJson = ended(run.status) && known.outputJson === '' ? '["done"]' : known.outputJson;
    const got = { run, source: releaseText, graph, steps: Object.values(steps), gates: Object.values(gates) };
    const forks = { forkedFrom: null, forks: [], fileNow: 'changed' } as const;
    return ok({ ...got, ...forks, ...known, outputJson });
  }
}
