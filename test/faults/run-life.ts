/**
 * Runs of every kind on a real host that may die at any commit and is restarted by the next caller that finds
 * it dead.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Approval, ApprovalAnswer } from '../../src/contract/approvals.ts';
import type { MethodInput, MethodOutput } from '../../src/contract/methods.ts';
import type { RunGate, RunSummary } from '../../src/contract/workflow-methods.ts';
import { englishText } from '../../src/language/host-message.ts';
import type { Desk } from './desk.ts';
import { MortalHost } from './mortal-host.ts';
import { goalOf, resultOf, type Tasker, taskerName } from './tasker.ts';

type Known = MethodOutput<'runs.get'>;
type Begun = Pick<RunSummary, 'id'>;

/** Result of a run, and its effects outside. */
interface RunEnd {
  readonly status: string;
  readonly message: string;
  readonly output: string;
  readonly steps: readonly string[];
  readonly gates: readonly string[];
  readonly traces: readonly string[];
}

export interface LifeOfRuns {
  readonly runs: Readonly<Record<string, RunEnd>>;
  readonly commits: number;
  readonly died: boolean;
}

/** Steps of class `once` have no output, because an owner who looks after a kill cannot know it. */
const leave = (step: string): string =>
  `{id: ${step}, run: 'umask 077; echo "\${life} $PUPPY_STEP" >> traces.log'}`;
const say = `{id: say, run: 'echo "\${life} is done"', effect: pure}`;
const workflow = (name: string, ...steps: readonly string[]): string =>
  `name: ${name}\nargs: {life: {type: string}}\nsteps:\n${steps.map((step) => `  - ${step}\n`).join('')}`;

const schema = '{type: object, properties: {n: {type: integer}}, required: [n]}';
const refusal = `{prompt: Undo?, on_reject: {steps: [${leave('undo')}], then: continue}}`;
const files = {
  asks: workflow('asks', leave('first'), '{id: ask, approval: Ship?}', leave('second'), say),
  form: workflow(
    'form',
    `{id: ask, input: {prompt: How many?, response_schema: ${schema}}}`,
    leave('use'),
    say,
  ),
  refused: workflow('refused', leave('first'), `{id: no, approval: ${refusal}}`, leave('last'), say),
  hands: workflow('hands', `{id: think, agent: {goal: 'echo \${life}', name: guide}}`, leave('after'), say),
  fails: workflow(
    'fails',
    leave('first'),
    `{id: look, run: 'test -e "\${life}"', effect: pure}`,
    leave('last'),
    say,
  ),
  sleeps: workflow('sleeps', leave('first'), '{id: nap, sleep: 300ms}', leave('last'), say),
  stops: workflow('stops', leave('first'), '{id: ask, approval: Never?}', leave('never')),
  due: workflow('due', leave('first'), say),
  held: workflow('held', leave('first'), '{id: ask, approval: Ship?}', leave('second'), say),
} as const;
type Name = keyof typeof files;

const allow: ApprovalAnswer = { type: 'allow', scope: 'once' };
const answers: Readonly<Record<'asks' | 'form' | 'refused' | 'held', ApprovalAnswer>> = {
  asks: allow,
  form: { type: 'respond', response: { n: 7 } },
  refused: { type: 'deny', reason: 'not this time' },
  held: allow,
};

const isOver = ({ status }: RunSummary): boolean => ['ok', 'failed', 'cancelled'].includes(status);

const states: Readonly<Record<string, Approval['state']>> = {
  approve: 'allowed',
  answer: 'allowed',
  done: 'allowed',
  repeat: 'allowed',
  reject: 'denied',
  cancel: 'denied',
  withdrawn: 'cancelled',
};

export class RunLife {
  readonly #desk: Desk;
  readonly #host: MortalHost;
  readonly #tasker: Tasker;
  readonly #folder: string;
  #lives = 0;

  constructor(desk: Desk, database: string, tasker: Tasker) {
    this.#desk = desk;
    this.#tasker = tasker;
    this.#host = new MortalHost(desk, database);
    this.#folder = path.join(desk.home, 'workflows');
    mkdirSync(this.#folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) this.#write(`${name}.puppy`, text);
  }

  async begin(): Promise<void> {
    await this.#host.begin();
    await this.#tasker.join(this.#desk.door);
  }

  get #life(): string {
    return `life-${this.#lives}`;
  }

  #file(name: string): string {
    return path.join(this.#folder, name);
  }

  #write(name: string, text: string): void {
    writeFileSync(this.#file(name), text, { mode: 0o600 });
  }

  /** The programs that an agent starts run in its workspace. */
  #traces(run: string): readonly string[] {
    const folders = [this.#folder, path.join(this.#desk.home, 'agents', taskerName, 'workspace')];
    const lines = folders
      .map((folder) => path.join(folder, 'traces.log'))
      .filter(existsSync)
      .flatMap((file) => readFileSync(file, 'utf8').split('\n'));
    return lines.filter((line) => line.startsWith(`${run} `)).map((line) => line.slice(run.length + 1));
  }

  async #questions(
    state: 'waiting' | 'all',
    kind: Approval['kind'] = 'workflow',
  ): Promise<readonly Approval[]> {
    return (await this.#desk.door.call('approvals.list', { kind, state, limit: 200 })).approvals;
  }

  async #answer({ id, digest }: Approval, answer: ApprovalAnswer): Promise<void> {
    await this.#desk.door.tryCall('approvals.decide', { id, digest, answer, surface: 'window' });
  }

  /** Settles an interrupted step by its visible effects, as a person would. */
  #look = async (name: string, { id }: Begun): Promise<Known> => {
    const known = await this.#desk.door.call('runs.get', { run: id });
    const doubt = known.gates.find(({ kind, decision }) => kind === 'uncertain' && decision === null);
    const asked = doubt && (await this.#questions('waiting')).find((one) => one.id === doubt.id);
    if (asked) {
      const done = this.#traces(`${this.#life}-${name}`).includes(doubt.path);
      await this.#answer(asked, { type: 'settle', how: done ? 'done' : 'repeat' });
    }
    return known;
  };

  /** Starts with a key, so that a call without an acknowledgement can be repeated. */
  #start(name: Name): Promise<Begun> {
    const life = `${this.#life}-${name}`;
    const wanted: MethodInput<'runs.start'> = { file: `${name}.puppy`, args: { life }, key: life };
    return this.#host.until(`a start of ${name}`, () => this.#desk.door.call('runs.start', wanted));
  }

  #standing(name: string, run: Begun, is: (run: RunSummary) => boolean): Promise<Known> {
    return this.#host.until(`${name} to stand so`, async () => {
      const known = await this.#look(name, run);
      return is(known.run) && known;
    });
  }

  #over = (name: string, run: Begun): Promise<Known> => this.#standing(name, run, isOver);

  /** Waits for the end of the run, and answers each gate as its file expects. */
  async #answered(name: keyof typeof answers, run: Begun): Promise<void> {
    await this.#host.until(`the end of ${name}`, async () => {
      const known = await this.#look(name, run);
      const open = known.gates.find(({ kind, decision }) => kind !== 'uncertain' && decision === null);
      const asked = open && (await this.#questions('waiting')).find(({ id }) => id === open.id);
      if (asked) await this.#answer(asked, answers[name]);
      return isOver(known.run);
    });
  }

  async #failsAndIsRetried(): Promise<Begun> {
    const run = await this.#start('fails');
    await this.#standing('fails', run, ({ status }) => status === 'failed');
    this.#write(`${this.#life}-fails`, '');
    await this.#host.until('a retry', async () => {
      const retried = await this.#desk.door.tryCall('runs.retry', { run: run.id });
      return retried.ok || retried.error.code === 'conflict';
    });
    return run;
  }

  async #cancelled(): Promise<Begun> {
    const run = await this.#start('stops');
    await this.#standing('stops', run, ({ status, gates }) => status === 'waiting' && gates.length > 0);
    await this.#host.until('its end', async () => {
      await this.#desk.door.tryCall('runs.cancel', { run: run.id });
      return isOver((await this.#look('stops', run)).run);
    });
    return run;
  }

  /** Forks `asks` from the step behind its gate; the fork asks the gate again. */
  async #again(before: Begun): Promise<Begun> {
    const wanted = { run: before.id, from: 'say', key: `${this.#life}-again` };
    const run = await this.#host.until('a run again', () => this.#desk.door.call('runs.again', wanted));
    await this.#answered('asks', run);
    const origin = { from: 'say', by: 'operator' };
    const [old, now] = await this.#host.until('both of them', async () => [
      await this.#look('asks', before),
      await this.#look('again', run),
    ]);
    expect(now?.forkedFrom).toEqual({ run: before.id, ...origin });
    expect(old?.forks, 'the old run knows of the new one, once').toEqual([{ run: run.id, ...origin }]);
    return run;
  }

  async #due(): Promise<Begun> {
    const life = `${this.#life}-due`;
    const starts = { kind: 'workflow' as const, file: 'due.puppy', args: { life } };
    await this.#host.until('a schedule', async () => {
      const { schedules } = await this.#desk.door.call('schedules.list', {});
      if (schedules.some(({ name }) => name === life)) return true;
      const when = { kind: 'once', at: Date.now() + 1_000 } as const;
      await this.#desk.door.call('schedules.add', { name: life, when, catchUp: 'latest', starts });
      return true;
    });
    const run = await this.#host.until('what is due', async () => {
      const { runs } = await this.#desk.door.call('runs.list', { text: 'due', limit: 500 });
      for (const { id } of runs) {
        const { argsJson } = await this.#desk.door.call('runs.get', { run: id });
        if (argsJson.includes(`"${life}"`)) return { id };
      }
      return false;
    });
    await this.#over('due', run);
    await this.#host.until('the schedule to be gone', async () => {
      const removed = await this.#desk.door.tryCall('schedules.remove', { id: life });
      return removed.ok || removed.error.code === 'not_found';
    });
    return run;
  }

  /** A task whose agent starts a workflow; the task is idle until the run has ended. */
  async #held(): Promise<Begun> {
    const life = `${this.#life}-held`;
    const wanted = { goal: goalOf(life), agent: taskerName, key: life };
    const added = await this.#host.until('a task', () => this.#desk.door.call('tasks.add', wanted));
    const { id: task } = added.task;
    const own = ({ argsJson }: Approval): boolean => argsJson.includes(life);
    const run = await this.#host.until('the run of the task', async () => {
      const asked = (await this.#questions('waiting', 'tool')).find(own);
      if (asked) await this.#answer(asked, allow);
      const { runs } = await this.#desk.door.call('runs.list', { text: 'held', limit: 1 });
      const known = runs[0] && (await this.#desk.door.call('runs.get', { run: runs[0].id }));
      return known?.argsJson.includes(`"${life}"`) === true && known.run;
    });
    await this.#answered('held', run);
    const end = await this.#host.until('the end of the task', async () => {
      const { task: now } = await this.#desk.door.call('tasks.get', { task });
      return ['done', 'error'].includes(now.status) && now;
    });
    expect(end).toMatchObject({ status: 'done', result: resultOf(life) });
    const asked = await this.#host.until('what it asked', () => this.#questions('all', 'tool'));
    expect(asked.filter(own), 'it asked for its run once').toHaveLength(1);
    return run;
  }

  /**
   * Each gate is listed once among the approvals, decided as in the journal, and verifiable in the audit log.
   */
  async #wasAskedOnce(gates: readonly RunGate[]): Promise<void> {
    await this.#host.until('its questions to be told', async () => {
      const all = await this.#questions('all');
      return gates.every(({ id, decision }) => {
        const found = all.filter((one) => one.id === id);
        expect(found.length).toBeLessThan(2);
        return found[0]?.state === states[decision ?? ''] && found[0]?.decision?.as === decision;
      });
    });
    for (const { id } of gates) {
      const receipt = await this.#host.until('a receipt', () =>
        this.#desk.door.call('receipts.verify', { id }),
      );
      expect(receipt).toMatchObject({ ok: true });
    }
  }

  async #endOf(name: string, begun: Begun): Promise<RunEnd> {
    const { run, outputJson, steps, gates } = await this.#over(name, begun);
    const log = await this.#host.until('its history', () =>
      this.#desk.door.call('runs.log', { run: run.id }),
    );
    expect(log).toMatchObject({ verified: true, brokenAt: null, hasMore: false });
    await this.#wasAskedOnce(gates);
    const asked = gates.filter(({ kind }) => kind !== 'uncertain');
    return {
      status: run.status,
      message: englishText(run.message),
      output: outputJson.replaceAll(this.#life, ''),
      steps: steps.map((step) => `${step.path} ${step.state}`),
      gates: asked.map((gate) => `${gate.path} ${gate.decision} by ${gate.decidedBy}`),
      traces: this.#traces(`${this.#life}-${name}`),
    };
  }

  /** Checks that each run and task was started once in this life. */
  async #counted(): Promise<void> {
    const { runs, tasks } = await this.#host.until('what there is', async () => ({
      ...(await this.#desk.door.call('runs.list', { limit: 30 })),
      ...(await this.#desk.door.call('tasks.list', { limit: 500 })),
    }));
    const begun: string[] = [];
    for (const { id, name } of runs) {
      const { argsJson } = await this.#host.until(name, () => this.#desk.door.call('runs.get', { run: id }));
      if (argsJson.includes(`"${this.#life}-`)) begun.push(name);
    }
    expect(begun.toSorted(), 'each run once').toEqual([...Object.keys(files), 'asks'].toSorted());
    const handed = tasks.filter(({ goal }) => goal.includes(`${this.#life}-hands`));
    expect(handed, 'handed out once').toHaveLength(1);
  }

  /** One life of all runs; the host dies at the commit (`3:before`), or stays alive if `null`. */
  async live(point: string | null): Promise<LifeOfRuns> {
    this.#lives += 1;
    this.#host.dieAt(point);
    const begun: Record<string, Begun> = {};
    for (const name of ['asks', 'form', 'refused'] as const) {
      begun[name] = await this.#start(name);
      await this.#answered(name, begun[name]);
    }
    begun.again = await this.#again(begun.asks as Begun);
    for (const name of ['hands', 'sleeps'] as const) {
      begun[name] = await this.#start(name);
      await this.#over(name, begun[name]);
    }
    begun.fails = await this.#failsAndIsRetried();
    begun.stops = await this.#cancelled();
    begun.due = await this.#due();
    begun.held = await this.#held();
    const runs: Record<string, RunEnd> = {};
    for (const [name, run] of Object.entries(begun)) runs[name] = await this.#endOf(name, run);
    const { commits } = this.#host;
    await this.#counted();
    return { runs, commits, died: this.#host.died };
  }
}
