import type { FeedEvent } from '../../contract/patch.ts';
import type { TaskSummary } from '../../contract/task-methods.ts';
import { copy } from '../copy.ts';
import type { HostSession } from '../host-call.ts';
import { jsonText } from '../json-text.ts';
import { progress } from '../progress.ts';
import { createTaskStream, hasEnded, pauseNote, type TaskStream } from '../task-stream.ts';
import { CommandFailure, commandFailure, exitFailed, exitOk } from '../terminal.ts';
import { printable, visibleText } from '../visible-text.ts';

interface FollowOptions {
  /** JSON lines instead of text. */
  readonly json: boolean;
  /** Prints only notes about pauses, on standard error. */
  readonly quiet?: boolean;
  /** ms after which it stops waiting; the task continues. */
  readonly timeoutMs?: number;
}

const gone = (id: number): CommandFailure => commandFailure('not_found', 'cliTasks.noTask', { id });

const lost = (id: number): CommandFailure =>
  commandFailure('unavailable', 'cliTasks.hostStopped', { id }, { help: 'cliTasks.startAgain' });

const late = (id: number, ms: number): CommandFailure =>
  commandFailure(
    'timeout',
    'cliTasks.late',
    { id, seconds: Math.round(ms / 1_000) },
    { help: 'cliTasks.follows' },
  );

/** One JSON line per change: the task on each change, each step when it starts and ends. */
function jsonTeller(): (stream: TaskStream) => string[] {
  const told = new Map<string, string>();
  const news = (key: string, type: string, value: unknown): string[] => {
    const text = jsonText({ type, [type]: value });
    if (told.get(key) === text) return [];
    told.set(key, text);
    return [text];
  };
  return (stream) => [
    ...(stream.task() ? news('task', 'task', stream.task()) : []),
    ...Object.entries(stream.steps()).flatMap(([number, step]) => news(number, 'step', step)),
  ];
}

type Tell = (event: FeedEvent, stream: TaskStream) => void;

function teller({ json, quiet = false }: FollowOptions): Tell {
  const jsonLines = jsonTeller();
  let noted: string | null = null;
  return (event, stream) => {
    const text = stream.see(event);
    if (quiet) {
      const task = stream.task();
      const note = task && pauseNote(task);
      if (note !== null && note !== noted) progress.note(printable(note));
      noted = note;
      return;
    }
    const lines = json ? jsonLines(stream) : text === null ? [] : [printable(visibleText(text))];
    for (const line of lines) process.stdout.write(`${line}\n`);
  };
}

/** Follows the task to its end, which determines the exit code. */
export function followTask(
  { client }: HostSession,
  id: number,
  options: FollowOptions,
): Promise<TaskSummary> {
  const stream = createTaskStream();
  const tell = teller(options);
  const ended = new Promise<TaskSummary>((resolve, reject) => {
    const { timeoutMs } = options;
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => finish(late(id, timeoutMs)), timeoutMs);
    const finish = (end: TaskSummary | CommandFailure): void => {
      clearTimeout(timer);
      // The first event may arrive before `stop` is assigned.
      queueMicrotask(() => stop());
      if (end instanceof CommandFailure) reject(end);
      else resolve(end);
    };
    const stop = client.subscribe(`task:${id}`, (event) => {
      if (stream.over()) return;
      if (event.type === 'end') return finish(lost(id));
      tell(event, stream);
      if (stream.over()) finish(stream.task() ?? gone(id));
    });
  });
  return options.quiet ? progress.during(ended, copy('cliProgress.waitingForTask', { id })) : ended;
}

/**
 * Like `followTask` for an unknown task: loads it first, because a starting host has no task store before the
 * first call.
 */
export async function followKnown(
  session: HostSession,
  id: number,
  options: FollowOptions,
): Promise<TaskSummary> {
  await session.call('tasks.get', { task: id });
  return followTask(session, id, options);
}

export const endCode = (task: TaskSummary): number =>
  hasEnded(task) && task.status === 'error' ? exitFailed : exitOk;

export interface WaitFlags {
  readonly json?: boolean;
  readonly wait?: string | boolean;
}

/** ms of `--wait [seconds]`, without seconds as long as it takes; `null` without the flag. */
export function waitMs(flag: WaitFlags['wait']): number | null {
  if (flag === undefined) return null;
  const seconds = flag === true ? Number.POSITIVE_INFINITY : Number(flag);
  if (!(seconds > 0)) throw commandFailure('invalid_input', 'cliTerminal.takesSeconds', { flag: '--wait' });
  return Math.min(seconds * 1_000, 2_147_483_647);
}
