/**
 * Tasks of every kind on a real host that may die at any commit of its tasks database and is restarted by the
 * next caller that finds it dead.
 */
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { MethodInput } from '../../src/contract/methods.ts';
import type { TaskStepView, TaskSummary } from '../../src/contract/task-methods.ts';
import type { Desk } from './desk.ts';
import { MortalHost } from './mortal-host.ts';

/** End of a task, and its lasting effects. */
interface TaskEnd {
  readonly status: string;
  readonly failure: string | null;
  readonly done: readonly string[];
  /**
   * Number of model answers that the task requested and received; for a cancelled task, those it requested.
   */
  readonly answers: number;
}

export interface LifeEnd {
  readonly tasks: Readonly<Record<string, TaskEnd>>;
  /** Number of paid model answers that no task received. */
  readonly again: number;
  readonly commits: number;
  readonly died: boolean;
}

export class TaskLife {
  readonly #desk: Desk;
  readonly #host: MortalHost;
  #lives = 0;

  constructor(desk: Desk) {
    this.#desk = desk;
    this.#host = new MortalHost(desk, 'tasks.db');
  }

  begin(): Promise<void> {
    return this.#host.begin();
  }

  async #all(project: string): Promise<readonly TaskSummary[]> {
    return (await this.#desk.door.call('tasks.list', { project, limit: 500 })).tasks;
  }

  #look = async (task: number): Promise<TaskSummary> => {
    const found = (await this.#desk.door.call('tasks.get', { task })).task;
    if (found.waitingFor?.kind !== 'unknown-step') return found;
    // Settles an uncertain step by looking at the file, as a person would.
    const file = /^write (\S+)/.exec(found.goal)?.[1] ?? 'none';
    const happened = existsSync(this.#desk.workspace(file)) ? 'yes' : 'no';
    return this.#desk.door.call('tasks.settle', { task, step: found.waitingFor.step, happened });
  };

  /** Adds with a key, so that a call without an acknowledgement can be repeated. */
  #add(project: string, goal: string): Promise<number> {
    const wanted: MethodInput<'tasks.add'> = { goal, project, agent: 'guide', key: `${project} ${goal}` };
    const budget = { steps: 200 };
    return this.#host.until(
      goal,
      async () => (await this.#desk.door.call('tasks.add', { ...wanted, budget })).task.id,
    );
  }

  #standing(what: string, task: number, is: (task: TaskSummary) => boolean): Promise<TaskSummary> {
    return this.#host.until(what, async () => {
      const found = await this.#look(task);
      return is(found) && found;
    });
  }

  #over(task: number): Promise<TaskSummary> {
    return this.#standing(`the end of task ${task}`, task, ({ status }) =>
      ['done', 'error'].includes(status),
    );
  }

  async #fork(project: string, task: number): Promise<number> {
    return this.#host.until('a fork', async () => {
      const known = (await this.#all(project)).find(({ parent }) => parent === task);
      return known?.id ?? (await this.#desk.door.call('tasks.fork', { task, after: 2 })).id;
    });
  }

  async #allow(file: string): Promise<void> {
    await this.#host.until('a yes', async () => {
      const [question] = await this.#desk.questions(file);
      return question && question.state !== 'waiting' ? true : this.#desk.allow(file);
    });
  }

  async #pauseAndResume(task: number): Promise<void> {
    await this.#standing('a step', task, ({ steps }) => steps > 0);
    await this.#host.until('a pause', async () => {
      const { status } = await this.#look(task);
      if (status !== 'paused') await this.#desk.door.tryCall('tasks.pause', { task });
      return status === 'paused';
    });
    await this.#host.until('work again', async () => {
      const { status } = await this.#look(task);
      if (status === 'paused') await this.#desk.door.tryCall('tasks.resume', { task });
      return status !== 'paused';
    });
  }

  async #cancel(task: number): Promise<void> {
    await this.#standing('a step', task, ({ steps }) => steps > 0);
    await this.#host.until('its end', async () => {
      const { status } = await this.#look(task);
      if (status !== 'error') await this.#desk.door.tryCall('tasks.cancel', { task });
      return status === 'error';
    });
  }

  async #due(project: string): Promise<number> {
    const starts = {
      kind: 'task' as const,
      goal: 'echo due',
      agent: 'guide',
      project,
      priority: 0,
      room: null,
      budget: { steps: 10, tokens: null, usd: null },
    };
    await this.#host.until('a schedule', async () => {
      const { schedules } = await this.#desk.door.call('schedules.list', {});
      if (schedules.some(({ name }) => name === project)) return true;
      const when = { kind: 'once', at: Date.now() + 1_500 } as const;
      await this.#desk.door.call('schedules.add', { name: project, when, catchUp: 'latest', starts });
      return true;
    });
    return this.#host.until('what is due', async () => {
      const found = (await this.#all(project)).find(({ via }) => via === 'schedule');
      return found?.id ?? false;
    });
  }

  async #steps(task: number): Promise<readonly TaskStepView[]> {
    return this.#host.until('the steps', async () => {
      const { steps } = await this.#desk.door.call('tasks.steps', { task, limit: 500 });
      return steps;
    });
  }

  async #endOf({ id, status, failure, forkedAt }: TaskSummary): Promise<TaskEnd> {
    const steps = await this.#steps(id);
    expect(steps.map(({ number }) => number)).toEqual(steps.map((_, index) => index + 1));
    const good = steps.filter(({ endedAt, error }) => endedAt !== null && error === null);
    const own = (status === 'error' ? steps : good).filter(({ number }) => number > (forkedAt ?? 0));
    const answers = own.filter(({ kind }) => kind === 'decision').length;
    const done = good.map(({ kind, action }) => (kind === 'decision' ? 'answer' : action));
    return { status, failure: failure?.kind ?? null, done, answers };
  }

  async #paid(): Promise<number> {
    // An aborted answer is counted when its turn is over.
    await this.#host.until('an idle guide', async () => (await this.#desk.guide()).dot === 'idle');
    const { days } = await this.#host.until('what was spent', () =>
      this.#desk.door.call('usage.get', { days: 2 }),
    );
    return days.reduce((sum, { calls }) => sum + calls, 0);
  }

  /** One life of all tasks; the host dies at the commit (`3:before`), or stays alive if `null`. */
  async live(point: string | null): Promise<LifeEnd> {
    this.#lives += 1;
    const project = `life ${this.#lives}`;
    const paid = await this.#paid();
    this.#host.dieAt(point);
    const work = await this.#add(project, 'work 2');
    await this.#over(work);
    const fork = await this.#fork(project, work);
    await this.#over(fork);
    const file = `note${this.#lives}.md`;
    const write = await this.#add(project, `write ${file}`);
    await this.#standing('its question', write, ({ status }) => status !== 'pending' && status !== 'running');
    await this.#allow(file);
    await this.#over(write);
    const paused = await this.#add(project, 'slow');
    await this.#pauseAndResume(paused);
    await this.#over(paused);
    const cancelled = await this.#add(project, 'work 50');
    await this.#cancel(cancelled);
    const due = await this.#due(project);
    await this.#over(due);
    await this.#host.until('the schedule to be gone', async () => {
      const removed = await this.#desk.door.tryCall('schedules.remove', { id: project });
      return removed.ok || removed.error.code === 'not_found';
    });
    const { commits } = this.#host;
    expect((await this.#all(project)).length, 'each task once').toBe(6);
    expect(await this.#desk.questions(file), 'asked once').toHaveLength(1);
    expect(readFileSync(this.#desk.workspace(file), 'utf8').match(/^# note/gm)).toHaveLength(1);
    const named = { work, fork, write, paused, cancelled, due };
    const ends: Record<string, TaskEnd> = {};
    for (const [name, id] of Object.entries(named)) ends[name] = await this.#endOf(await this.#over(id));
    const answers = Object.values(ends).reduce((sum, end) => sum + end.answers, 0);
    return { tasks: ends, again: (await this.#paid()) - paid - answers, commits, died: this.#host.died };
  }
}
