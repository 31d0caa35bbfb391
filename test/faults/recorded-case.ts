/**
 * Plays one recorded workflow case through real processes, one of which may be killed, and continues as its
 * owner would.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RunEvent } from '../../src/core/workflows/engine/events.ts';
import type { WorkflowJournal } from '../../src/services/db/workflow-journal.ts';
import type { Action, WorkflowCase } from '../conformance/workflow-case.ts';
import { openSampleJournal } from '../fakes/workflow-samples.ts';
import { newFolder, removeFolder } from './places.ts';

const cli = path.resolve(import.meta.dirname, '../../dist/cli/puppy.js');
const killer = path.resolve(import.meta.dirname, '../children/kill-at-commit.mjs');

interface Asks {
  readonly kind?: string;
  readonly prompt?: string;
  readonly resumeToken?: string;
  readonly approvalId?: string;
}
interface Told {
  readonly ok?: boolean;
  readonly status?: string;
  readonly output?: unknown;
  readonly runId?: string;
  readonly requiresApproval?: Asks | null;
  readonly requiresInput?: Asks | null;
  readonly error?: { readonly type?: string; readonly message?: string };
}

/**
 * A fault of one action: its process dies at a commit (`3:before`), or the action is executed twice in a row.
 */
export type Mishap = { readonly at: number } & ({ readonly point: string } | { readonly twice: true });

/** Whether runs start with an idempotency key; a run without one is saved with its first event. */
export interface Manner {
  readonly keyed: boolean;
}

export interface Played {
  /** Output of each action; for a killed action, the output after its run was continued. */
  readonly told: readonly Told[];
  readonly effects: readonly string[];
  /** Number of commits per action. */
  readonly commits: readonly number[];
  /** The owner's answers about interrupted steps. The output of a step answered with `done` is lost. */
  readonly said: readonly ('done' | 'repeat')[];
  /** Broken histories, and those in which a step starts again without a reason. */
  readonly broken: readonly string[];
}

type Playable = Extract<Action, { do: 'run' | 'resume' | 'write' | 'sleep' }>;

const plain = (action: Action): action is Playable =>
  action.do === 'write' ||
  action.do === 'sleep' ||
  (action.do === 'run' && (action.mode ?? 'tool') === 'tool') ||
  (action.do === 'resume' &&
    action.forge === undefined &&
    action.tamper === undefined &&
    action.literal === undefined &&
    action.concurrent === undefined);

/**
 * Whether the case can be killed and continued: only the player starts processes, and no action forges data.
 */
export const isPlayable = ({ actions }: WorkflowCase): boolean => actions.every(plain);

class Player {
  readonly #case: WorkflowCase;
  readonly #folder: string;
  readonly #manner: Manner;
  readonly #said: ('done' | 'repeat')[] = [];

  constructor(each: WorkflowCase, folder: string, manner: Manner) {
    this.#manner = manner;
    this.#case = JSON.parse(JSON.stringify(each).replaceAll('@WORK@', folder)) as WorkflowCase;
    this.#folder = folder;
    const { file, fileName = 'wf.puppy', files = {} } = this.#case;
    for (const name of ['state', 'home', 'notes']) mkdirSync(path.join(folder, name));
    for (const [name, text] of Object.entries({
      ...files,
      ...(file === undefined ? {} : { [fileName]: file }),
    })) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
  }

  get #state(): string {
    return path.join(this.#folder, 'state');
  }

  #note(name: string): number {
    const place = path.join(this.#folder, 'notes', name);
    return existsSync(place) ? Number(readFileSync(place, 'utf8')) : 0;
  }

  #grew(): boolean {
    const place = path.join(this.#folder, 'effects.log');
    return existsSync(place) && statSync(place).size > this.#note('effects');
  }

  /** `null` if it was killed. */
  #puppy(words: readonly string[], action: Playable, point?: string): Promise<Told | null> {
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: path.join(this.#folder, 'home'),
      LANG: 'C.UTF-8',
      PUPPY_STATE_DIR: path.join(this.#folder, 'state'),
      KENNEL_KILL_NOTES: path.join(this.#folder, 'notes'),
      ...this.#case.env,
      ...('env' in action ? action.env : {}),
      ...(point === undefined ? {} : { KENNEL_KILL_AT: point }),
    };
    const child = spawn(process.execPath, ['--import', killer, cli, ...words], { cwd: this.#folder, env });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    child.stderr.resume();
    child.stdin.on('error', () => undefined);
    child.stdin.end('stdin' in action ? action.stdin : undefined);
    return new Promise((resolve, reject) => {
      child.on('close', (_code, signal) => {
        if (signal === 'SIGKILL') return resolve(null);
        try {
          resolve(JSON.parse(text) as Told);
        } catch {
          reject(new Error(`${this.#case.name}: ${words.join(' ')}: no envelope: ${text.slice(0, 300)}`));
        }
      });
    });
  }

  #words(action: Extract<Playable, { do: 'run' | 'resume' }>, key: string, told: readonly Told[]): string[] {
    if (action.do === 'run') {
      const args = action.args ?? this.#case.args;
      const pipeline = action.file === undefined ? (action.pipeline ?? this.#case.pipeline) : undefined;
      const source =
        pipeline === undefined ? ['--file', action.file ?? this.#case.fileName ?? 'wf.puppy'] : [pipeline];
      const given =
        args === undefined ? [] : ['--args-json', typeof args === 'string' ? args : JSON.stringify(args)];
      const named = this.#manner.keyed ? ['--key', key] : [];
      return ['run', '--json', ...named, ...(action.flags ?? []), ...source, ...given];
    }
    const from =
      action.from === undefined
        ? told.findLast((one) => one.requiresApproval || one.requiresInput)
        : told[action.from];
    const asks = from?.requiresApproval ?? from?.requiresInput;
    const by =
      action.by === 'id'
        ? ['--id', action.id ?? asks?.approvalId ?? 'none']
        : ['--token', asks?.resumeToken ?? 'none'];
    const { response, cancel, approve } = action;
    if (response !== undefined)
      return ['resume', '--json', ...by, '--response-json', JSON.stringify(response)];
    if (cancel) return ['resume', '--json', ...by, '--cancel'];
    return [
      'resume',
      '--json',
      ...by,
      ...(approve === undefined ? [] : ['--approve', approve ? 'yes' : 'no']),
    ];
  }

  /** A run without a key is the one that is new in the journal; if none is new, nothing was started. */
  #begunBy(action: Playable, before: readonly string[]): string | undefined {
    if (action.do !== 'run' || this.#manner.keyed) return undefined;
    return runsIn(this.#state).find((run) => !before.includes(run));
  }

  /**
   * Continues after a kill: repeats the command, or resumes the run by its id, or repeats an accepted answer,
   * or settles an uncertain step by its visible effects.
   */
  async #goOn(
    words: readonly string[],
    action: Playable,
    run: string | undefined,
    before: readonly string[],
  ) {
    const did = this.#grew();
    const begun = this.#begunBy(action, before);
    let told = await this.#puppy(begun === undefined ? words : ['resume', begun, '--json'], action);
    if (told?.ok === false && action.do === 'resume' && run !== undefined) {
      told = await this.#puppy(['resume', run, '--json'], action);
    }
    for (let rounds = 0; told?.requiresApproval?.kind === 'uncertain' && rounds < 5; rounds += 1) {
      const answer = did ? 'done' : 'repeat';
      this.#said.push(answer);
      const token = told.requiresApproval.resumeToken ?? '';
      told = await this.#puppy(['resume', '--json', '--token', token, '--answer', answer], action);
    }
    if (!told) throw new Error('nobody was to kill it');
    return told;
  }

  async play(mishap: Mishap | null): Promise<Played> {
    const told: Told[] = [];
    const commits: number[] = [];
    for (const [at, action] of this.#case.actions.entries()) {
      if (!plain(action)) throw new Error('it cannot be played');
      if (action.do === 'write') writeFileSync(path.resolve(this.#folder, action.path), action.text);
      if (action.do === 'sleep') await new Promise((go) => setTimeout(go, action.ms));
      if (action.do === 'write' || action.do === 'sleep') {
        told.push({});
        commits.push(0);
        continue;
      }
      const words = this.#words(action, `action ${at}`, told);
      const run = told.findLast(({ runId }) => runId !== undefined)?.runId;
      const before = runsIn(this.#state);
      const here = mishap?.at === at ? mishap : null;
      if (here && 'twice' in here) await this.#puppy(this.#words(action, `first ${at}`, told), action);
      const seen = await this.#puppy(words, action, here && 'point' in here ? here.point : undefined);
      told.push(seen ?? (await this.#goOn(words, action, run, before)));
      commits.push(this.#note('commits'));
    }
    const log = path.join(this.#folder, 'effects.log');
    const effects = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
    const broken = brokenRuns(this.#state);
    // Each case runs in its own folder.
    const left = JSON.stringify({ told, effects }).replaceAll(this.#folder, '@WORK@');
    return { ...(JSON.parse(left) as Pick<Played, 'told' | 'effects'>), commits, said: this.#said, broken };
  }
}

/**
 * A step of class `once` starts again only after a failure, a wait or an operator's answer, and never after
 * its end.
 */
function wrongBeginning(events: readonly RunEvent[]): string | null {
  const open = new Set<string>();
  const ended = new Set<string>();
  const placeOf = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'gate_opened') placeOf.set(event.gate, event.path);
    if (event.type === 'gate_decided' && event.decision === 'repeat')
      open.delete(placeOf.get(event.gate) ?? '');
    if (event.type === 'step_failed' || event.type === 'step_halted') open.delete(event.path);
    if (event.type === 'step_ended') ended.add(event.path);
    if (event.type !== 'step_started') continue;
    if (ended.has(event.path)) return `${event.path} began after its end`;
    if (event.effect === 'once' && open.has(event.path)) return `${event.path} began twice`;
    open.add(event.path);
  }
  return null;
}

function inJournal<T>(state: string, look: (journal: WorkflowJournal) => readonly T[]): readonly T[] {
  const file = path.join(state, 'workflows.db');
  if (!existsSync(file)) return [];
  const journal = openSampleJournal(file, null);
  try {
    return look(journal);
  } finally {
    journal.release();
  }
}

const runsIn = (state: string): readonly string[] =>
  inJournal(state, (journal) => journal.runs({ limit: 100 }).map(({ id }) => id));

const brokenRuns = (state: string): readonly string[] =>
  inJournal(state, (journal) =>
    journal.runs({ limit: 100 }).flatMap(({ id }) => {
      const broken = journal.brokenAt(id);
      const wrong = wrongBeginning(journal.events(id, 0).map(({ event }) => event));
      return [...(broken === null ? [] : [`event ${broken}`]), ...(wrong === null ? [] : [wrong])];
    }),
  );

export async function playCase(each: WorkflowCase, manner: Manner, mishap: Mishap | null): Promise<Played> {
  const folder = newFolder();
  try {
    return await new Player(each, folder, manner).play(mishap);
  } finally {
    removeFolder(folder);
  }
}
