import { type AppError, appError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { StoreError } from '../../core/lib/store-error.ts';
import { noneSpent } from '../../core/models/usage.ts';
import type { HandedIn, HandOut, HandOutFailure } from '../../core/tasks/hand-out-port.ts';
import type { Task, TaskDraft } from '../../core/tasks/task.ts';
import { resultSchema } from '../../core/tasks/task-prompts.ts';
import { say } from '../../language/say.ts';
import { schemaOf } from './task-runtime.ts';

type HandOutEnd = Result<HandedIn, HandOutFailure>;

export interface HandOuts {
  handOut(work: HandOut, signal: AbortSignal): Promise<HandOutEnd>;
  ended(task: Task): void;
  stop(): void;
}

export interface HandOutDeps {
  /** Queues a task; returns the first task of its key. */
  add(draft: TaskDraft): Task;
  /** Resolves an agent's id, slug or name; an unknown one is an error. */
  agentId(wanted: string): Result<string>;
  cancel(task: number): void;
}

const stopping = fail('unavailable', 'tasks.kennelStopping');

function endOf(task: Task): HandOutEnd {
  const { id, result, failure, used } = task;
  if (task.status === 'done') {
    const text = result ?? '';
    const value: unknown = schemaOf(task) ? JSON.parse(text) : text;
    return ok({ task: id, text, value, used });
  }
  const message = say('tasks.taskNotFinished', { id, why: failure?.message ?? 'it failed.' });
  const code = failure?.kind === 'budget' ? 'rate_limited' : 'model_error';
  return err({ error: appError(failure?.kind === 'cancelled' ? 'cancelled' : code, message), used });
}

/** The error that ends the wait; a failing store is reported here because no other call would report it. */
function cancelled({ cancel }: HandOutDeps, id: number): AppError {
  try {
    cancel(id);
    return fail('cancelled', 'tasks.taskCancelled', { id });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return error.toAppError();
  }
}

const unused = (error: AppError): HandOutEnd => err({ error, used: noneSpent });

const isOver = ({ status }: Task): boolean => status === 'done' || status === 'error';

/**
 * Tasks that other parts of the host give to agents, by idempotency key; a repeated call waits for the same
 * task.
 */
export function createHandOuts(deps: HandOutDeps): HandOuts {
  const waiting = new Map<number, Set<(end: HandOutEnd) => void>>();
  const wait = (id: number, signal: AbortSignal): Promise<HandOutEnd> =>
    new Promise((resolve) => {
      const mine = waiting.get(id) ?? new Set();
      waiting.set(id, mine);
      const onAbort = (): void => {
        mine.delete(end);
        end(unused(signal.reason === 'interrupted' ? stopping : cancelled(deps, id)));
      };
      const end = (value: HandOutEnd): void => {
        signal.removeEventListener('abort', onAbort);
        mine.delete(end);
        resolve(value);
      };
      mine.add(end);
      signal.addEventListener('abort', onAbort, { once: true });
      if (signal.aborted) onAbort();
    });
  return {
    async handOut(work, signal) {
      const agent = work.agent === null ? ok(null) : deps.agentId(work.agent);
      if (!agent.ok) return unused(agent.error);
      const draft = {
        goal: work.goal,
        agent: agent.value,
        key: work.key,
        project: work.initiatedBy,
        origin: { via: 'workflow', threadKey: null } as const,
        budget: { usd: work.maxUsd },
        memory: work.schema ? { [resultSchema]: work.schema } : {},
      };
      const task = deps.add(draft);
      return isOver(task) ? endOf(task) : wait(task.id, signal);
    },
    ended(task) {
      const all = [...(waiting.get(task.id) ?? [])];
      waiting.delete(task.id);
      for (const end of all) end(endOf(task));
    },
    stop() {
      for (const all of waiting.values()) for (const end of [...all]) end(unused(stopping));
      waiting.clear();
    },
  };
}
