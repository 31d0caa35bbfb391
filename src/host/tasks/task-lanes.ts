import { despiteStore } from '../../core/lib/store-error.ts';
import { anyAgent, defaultConcurrency } from '../../core/tasks/queue.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import type { TaskAgents } from './task-agents.ts';
import type { TaskSettings } from './task-settings.ts';

export interface TaskLanesDeps {
  readonly agents: Pick<TaskAgents, 'exists' | 'isRunning'>;
  readonly settings: TaskSettings;
  readonly store: Pick<TaskStore, 'lanes' | 'letGo' | 'setConcurrencies'>;
}

/** The number of tasks that each agent may work on at once, as stored. */
export class TaskLanes {
  readonly #deps: TaskLanesDeps;
  readonly #concurrency = new Map<string, number>();

  constructor(deps: TaskLanesDeps) {
    this.#deps = deps;
    // At startup no agent runs, whatever the last host stored.
    const known = deps.store.lanes().map(({ agent }) => agent);
    this.#set(new Map(known.map((agent) => [agent, 0])));
  }

  agents(): readonly string[] {
    return [...this.#concurrency.keys()];
  }

  isOpen(agent: string): boolean {
    return this.#of(agent) > 0;
  }

  close(agent: string): void {
    this.#set(new Map([[agent, 0]]));
  }

  /** Applies life and settings of these agents. `begun`: one of them may take tasks now. */
  update(ids: readonly string[]): 'same' | 'changed' | 'begun' {
    const { agents, settings } = this.#deps;
    const { per_agent: many } = settings.config().tasks;
    const wanted = ids.map((id) => {
      const own = Object.hasOwn(many, id) ? many[id] : undefined;
      return [id, agents.isRunning(id) ? (own ?? defaultConcurrency) : 0] as const;
    });
    const fresh = new Map(wanted.filter(([id, count]) => this.#of(id) !== count));
    if (fresh.size === 0) return 'same';
    const begun = [...fresh].some(([id, count]) => count > 0 && !this.isOpen(id));
    despiteStore(() => this.#set(fresh), undefined);
    return begun ? 'begun' : 'changed';
  }

  /** Releases the tasks of deleted or archived agents and returns their numbers. */
  release(ids: readonly string[]): readonly number[] {
    const { agents, store } = this.#deps;
    return ids
      .filter((id) => id !== anyAgent && !agents.exists(id))
      .flatMap((id) => despiteStore(() => store.letGo(id), []));
  }

  #of(agent: string): number {
    return this.#concurrency.get(agent) ?? 0;
  }

  #set(of: ReadonlyMap<string, number>): void {
    this.#deps.store.setConcurrencies(of);
    for (const [agent, count] of of) this.#concurrency.set(agent, count);
  }
}
