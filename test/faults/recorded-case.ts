/** One recorded case of workflows, played through real programs of which one may be killed, and gone on with as its owner would. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Action, WorkflowCase } from '../conformance/workflow-case.ts';
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

export interface Kill {
  /** Which action. */
  readonly at: number;
  /** The commit, `3:before`. */
  readonly point: string;
}

export interface Played {
  /** What was told at the end of each action; of one that was killed, what was told when its run had been gone on with. */
  readonly told: readonly Told[];
  readonly effects: readonly string[];
  /** How many commits each action made. */
  readonly commits: readonly number[];
  /** Somebody said of a step that it had been done: what it wrote is lost. */
  readonly saidDone: boolean;
}

type Playable = Extract<Action, { do: 'run' | 'resume' | 'write' | 'sleep' }>;

const plain = (action: Action): action is Playable =>
  action.do === 'write' ||
  action.do === 'sleep' ||
  (action.do === 'run' && action.mode !== 'human') ||
  (action.do === 'resume' &&
    action.forge === undefined &&
    action.tamper === undefined &&
    action.literal === undefined &&
    action.concurrent === undefined);

/** Whether it can be killed and gone on with: programs are started by it alone, and none is a forger. */
export const isPlayable = ({ actions }: WorkflowCase): boolean => actions.every(plain);

class Player {
  readonly #case: WorkflowCase;
  readonly #folder: string;
  #saidDone = false;

  constructor(each: WorkflowCase, folder: string) {
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

  #note(name: string): number {
    const place = path.join(this.#folder, 'notes', name);
    return existsSync(place) ? Number(readFileSync(place, 'utf8')) : 0;
  }

  #grew(): boolean {
    const place = path.join(this.#folder, 'effects.log');
    return existsSync(place) && statSync(place).size > this.#note('effects');
  }

  /** Null: it was killed. */
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

  #words(action: Extract<Playable, { do: 'run' | 'resume' }>, at: number, told: readonly Told[]): string[] {
    if (action.do === 'run') {
      const args = action.args ?? this.#case.args;
      const pipeline = action.file === undefined ? (action.pipeline ?? this.#case.pipeline) : undefined;
      const source =
        pipeline === undefined ? ['--file', action.file ?? this.#case.fileName ?? 'wf.puppy'] : [pipeline];
      const given =
        args === undefined ? [] : ['--args-json', typeof args === 'string' ? args : JSON.stringify(args)];
      return ['run', '--json', '--key', `action ${at}`, ...(action.flags ?? []), ...source, ...given];
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

  /** The same words again; where the answer counted already, the run by its name; and of a step in doubt what its owner sees. */
  async #goOn(words: readonly string[], action: Playable, run: string | undefined): Promise<Told> {
    const did = this.#grew();
    let told = await this.#puppy(words, action);
    if (told?.ok === false && action.do === 'resume' && run !== undefined) {
      told = await this.#puppy(['resume', run, '--json'], action);
    }
    for (let rounds = 0; told?.requiresApproval?.kind === 'uncertain' && rounds < 5; rounds += 1) {
      const answer = did ? 'done' : 'repeat';
      this.#saidDone ||= did;
      const token = told.requiresApproval.resumeToken ?? '';
      told = await this.#puppy(['resume', '--json', '--token', token, '--answer', answer], action);
    }
    if (!told) throw new Error('nobody was to kill it');
    return told;
  }

  async play(kill: Kill | null): Promise<Played> {
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
      const words = this.#words(action, at, told);
      const run = told.findLast(({ runId }) => runId !== undefined)?.runId;
      const seen = await this.#puppy(words, action, kill?.at === at ? kill.point : undefined);
      told.push(seen ?? (await this.#goOn(words, action, run)));
      commits.push(this.#note('commits'));
    }
    const log = path.join(this.#folder, 'effects.log');
    const effects = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
    return { told, effects, commits, saidDone: this.#saidDone };
  }
}

export async function playCase(each: WorkflowCase, kill: Kill | null): Promise<Played> {
  const folder = newFolder();
  try {
    return await new Player(each, folder).play(kill);
  } finally {
    removeFolder(folder);
  }
}
