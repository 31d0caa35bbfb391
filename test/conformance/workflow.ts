/**
 * The suite `workflow`: every recorded case in a folder of its own, against the command line and a program
 * with the embedded library, as real processes.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { CaseResult, FileSuite } from './case.ts';
import { type Action, caseSchema, type Expectation, type Seen, type WorkflowCase } from './workflow-case.ts';
import { differences, partsOf } from './workflow-expect.ts';
import { enginePaths, hostPath, type ProcessEnd, runProcess } from './workflow-process.ts';

const fileSchema = z.looseObject({ cases: z.array(z.unknown()).min(1) });

/** The recorded cases use the names of the studied engine; replaces them by Kennel's. */
const renamed = (text: string): string =>
  text.replaceAll('LOBSTER_', 'PUPPY_').replaceAll('.lobster', '.puppy');

function placed<T>(value: T, folder: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll('@WORK@', folder)) as T;
}

const nothing: Seen = { envelope: null, oneJson: false, stdout: '', stderr: '', exit: null, ms: 0 };

function seenOf(end: ProcessEnd): Seen {
  try {
    const envelope = JSON.parse(end.stdout) as Seen['envelope'];
    return { ...nothing, ...end, envelope, oneJson: true };
  } catch {
    return { ...nothing, ...end };
  }
}

function hostSeen(end: ProcessEnd): Seen {
  try {
    const said = JSON.parse(end.stdout) as { envelope?: Seen['envelope']; threw?: string; ms: number };
    const failed = said.threw === undefined ? {} : { threw: said.threw };
    return {
      ...nothing,
      ...failed,
      envelope: said.envelope ?? { ok: false },
      oneJson: true,
      exit: end.exit,
      ms: said.ms,
    };
  } catch {
    return { ...nothing, ...end, threw: `the host crashed: ${end.stderr.slice(0, 200)}` };
  }
}

class CaseRun {
  readonly #case: WorkflowCase;
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #seen: Seen[] = [];

  constructor(each: WorkflowCase, folder: string) {
    this.#case = each;
    this.#folder = folder;
    this.#env = {
      PATH: process.env.PATH ?? '',
      HOME: path.join(folder, 'home'),
      LANG: 'C.UTF-8',
      PUPPY_STATE_DIR: path.join(folder, 'state'),
      ...each.env,
    };
  }

  get #file(): string {
    return this.#case.fileName ?? 'wf.puppy';
  }

  #prepare(): void {
    const files = {
      ...this.#case.files,
      ...(this.#case.file === undefined ? {} : { [this.#file]: this.#case.file }),
    };
    for (const name of ['state', 'home']) mkdirSync(path.join(this.#folder, name));
    for (const [name, text] of Object.entries(files)) {
      const place = path.join(this.#folder, name);
      mkdirSync(path.dirname(place), { recursive: true });
      writeFileSync(place, text);
    }
  }

  #spawn(words: readonly string[], action: Action, input?: string): Promise<ProcessEnd> {
    const kill = 'marker' in action ? action : null;
    return runProcess(words, {
      cwd: this.#folder,
      env: { ...this.#env, ...action.env },
      ...(input === undefined ? {} : { input }),
      ...(kill ? { kill: { ...kill, marker: path.join(this.#folder, kill.marker) } } : {}),
    });
  }

  #runWords(action: Extract<Action, { do: 'run' | 'runKill' }>): readonly string[] {
    const args = action.args ?? this.#case.args;
    const pipeline = action.file === undefined ? (action.pipeline ?? this.#case.pipeline) : undefined;
    return [
      'run',
      ...((action.mode ?? 'tool') === 'tool' ? ['--mode', 'tool'] : []),
      ...(action.flags ?? []),
      ...(pipeline === undefined ? ['--file', action.file ?? this.#file] : [pipeline]),
      ...(args === undefined ? [] : ['--args-json', typeof args === 'string' ? args : JSON.stringify(args)]),
    ];
  }

  /** The latest approval request, or that of an earlier action. */
  #question(from: number | undefined): ReturnType<typeof partsOf> {
    const seen =
      from === undefined ? this.#seen.findLast((each) => partsOf(each).token !== null) : this.#seen[from];
    return partsOf(seen ?? nothing);
  }

  #resumeWords(action: Extract<Action, { do: 'resume' | 'resumeKill' }>): readonly string[] {
    const { token, approvalId } = this.#question(action.from);
    let shown = action.literal ?? token ?? '';
    if (action.tamper === 'truncate') shown = shown.slice(0, -7);
    if (action.tamper === 'empty') shown = '';
    if (action.forge !== undefined) shown = Buffer.from(JSON.stringify(action.forge)).toString('base64url');
    const by = action.by === 'id' ? ['--id', action.id ?? approvalId ?? ''] : ['--token', shown];
    const { response, cancel, approve } = action;
    if (response !== undefined) return ['resume', ...by, '--response-json', JSON.stringify(response)];
    if (cancel) return ['resume', ...by, '--cancel'];
    return ['resume', ...by, ...(approve === undefined ? [] : ['--approve', approve ? 'yes' : 'no'])];
  }

  async #resume(action: Extract<Action, { do: 'resume' | 'resumeKill' }>): Promise<Seen> {
    const words = this.#resumeWords(action);
    const many = Array.from({ length: action.concurrent ?? 1 }, () =>
      this.#spawn([...enginePaths, ...words], action),
    );
    const all = (await Promise.all(many)).map(seenOf);
    const okCount = all.map(partsOf).filter(({ ok, status }) => ok === true && status === 'ok').length;
    return { ...(all[0] ?? nothing), okCount };
  }

  #host(action: Extract<Action, { do: 'hostRun' | 'hostResume' }>): Promise<ProcessEnd> {
    const { cwd, timeoutMs, maxStdoutBytes, lingerMs } = action;
    const { args, pipeline } = this.#case;
    const request = {
      action: action.do === 'hostRun' ? 'run' : 'resume',
      pipeline: action.pipeline ?? pipeline ?? this.#file,
      argsJson: args === undefined ? undefined : JSON.stringify(args),
      cwd,
      timeoutMs,
      maxStdoutBytes,
      lingerMs,
      ...(action.do === 'hostResume'
        ? { token: this.#question(undefined).token, approve: action.approve }
        : {}),
    };
    return this.#spawn(hostPath, action, JSON.stringify(request));
  }

  async #act(action: Action): Promise<Seen> {
    switch (action.do) {
      case 'write':
        writeFileSync(path.resolve(this.#folder, action.path), action.text);
        return nothing;
      case 'sleep':
        await new Promise((go) => setTimeout(go, action.ms));
        return nothing;
      case 'sh': {
        const env = { ENGINE: enginePaths.join(' '), TOKEN: this.#question(undefined).token ?? '' };
        const end = await this.#spawn(['/bin/sh', '-c', action.cmd], {
          ...action,
          env: { ...env, ...action.env },
        });
        return { ...nothing, ...end };
      }
      case 'hostRun':
      case 'hostResume':
        return hostSeen(await this.#host(action));
      case 'resume':
      case 'resumeKill':
        return this.#resume(action);
      default:
        return seenOf(await this.#spawn([...enginePaths, ...this.#runWords(action)], action, action.stdin));
    }
  }

  #effects(): readonly string[] {
    const { effects } = this.#case;
    if (effects === undefined) return [];
    const place = path.join(this.#folder, 'effects.log');
    const lines = existsSync(place) ? readFileSync(place, 'utf8').split('\n').filter(Boolean) : [];
    return isDeepStrictEqual(lines, effects)
      ? []
      : [`effects: expected ${JSON.stringify(effects)}, got ${JSON.stringify(lines)}`];
  }

  async run(): Promise<readonly string[]> {
    this.#prepare();
    const wrong: string[] = [];
    for (const [index, action] of this.#case.actions.entries()) {
      const seen = await this.#act(action);
      this.#seen.push(seen);
      const expected: Expectation | null = this.#case.expect?.[index] ?? null;
      if (expected) wrong.push(...differences(expected, seen).map((each) => `action ${index}, ${each}`));
    }
    return [...wrong, ...this.#effects()];
  }
}

async function runCase(value: unknown, index: number): Promise<CaseResult> {
  const read = caseSchema.safeParse(value);
  if (!read.success)
    return { name: `case ${index}`, why: `cannot be read: ${read.error.issues[0]?.message}` };
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'kennel-case-')));
  try {
    const wrong = await new CaseRun(placed(read.data, folder), folder).run();
    return { name: read.data.name, why: wrong.length === 0 ? null : wrong.join('; ') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs cases sequentially, because some of them measure time. */
export const workflowSuite: FileSuite = async (file) => {
  const { cases } = fileSchema.parse(JSON.parse(renamed(JSON.stringify(file))));
  const results: CaseResult[] = [];
  for (const [index, each] of cases.entries()) results.push(await runCase(each, index));
  return results;
};
