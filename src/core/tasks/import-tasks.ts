/**
 * Reads the `tasks.json` of a Personal Agent (spec §6.1). All or nothing: a file with any unknown part is
 * refused with its position. The file is never written to.
 */

import { z } from 'zod';
import { fail } from '../../contract/fail.ts';
import { issueText } from '../../contract/issue-text.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { defaultSteps, newTask, type TaskBody, type TaskFailure } from './task.ts';
import type { TaskStep } from './task-step.ts';

export interface ImportedTask {
  /** Task number in the file. */
  readonly number: number;
  readonly task: TaskBody;
  readonly steps: readonly TaskStep[];
}

/** A Personal Agent that has run for years writes some hundred thousand bytes. */
export const maxImportBytes = 64 * 1024 * 1024;

/** The dates are UTC without a zone, sometimes with microseconds. */
const dateSchema = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|\+00:00)?$/)
  .transform((text, context) => {
    const at = Date.parse(`${text.slice(0, 19)}${/\.\d{1,3}/.exec(text)?.[0] ?? ''}Z`);
    if (Number.isNaN(at)) context.addIssue({ code: 'custom', message: 'there is no such date' });
    return at;
  });

const numberSchema = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);

const stepSchema = z.strictObject({
  step_id: numberSchema,
  timestamp: dateSchema,
  action: z.string(),
  result: z.string().nullish(),
  error: z.string().nullish(),
});

const taskSchema = z.strictObject({
  id: numberSchema,
  goal: z.string().min(1),
  status: z.enum(['pending', 'running', 'paused', 'done', 'error']),
  created_at: dateSchema,
  updated_at: dateSchema,
  steps: z.array(stepSchema).default([]),
  memory: z.record(z.string(), z.unknown()).default({}),
});

const fileSchema = z.strictObject({
  tasks: z.record(z.string().regex(/^[1-9]\d*$/), z.unknown()),
  next_id: numberSchema,
});

const failure: TaskFailure = { kind: 'failed', message: say('tasks.failedBeforeImport') };

type OldTask = z.output<typeof taskSchema>;

/** A task that was running has no owner any more, so it becomes pending. */
function bodyOf(old: OldTask): TaskBody {
  const draft = { goal: old.goal, memory: old.memory, key: `personal-agent:${old.id}:${old.created_at}` };
  // Imported steps do not count against the budget here.
  const budget = { steps: old.steps.length + defaultSteps };
  const last = old.steps.findLast(({ result }) => typeof result === 'string')?.result ?? '';
  return {
    ...newTask({ ...draft, budget, origin: { via: 'import', threadKey: null } }, old.created_at),
    status: old.status === 'running' ? 'pending' : old.status,
    steps: old.steps.length,
    result: old.status === 'done' ? last : null,
    failure: old.status === 'error' ? failure : null,
    updatedAt: old.updated_at,
  };
}

const stepsOf = (old: OldTask): readonly TaskStep[] =>
  old.steps.map((step, index) => ({
    number: index + 1,
    kind: step.action === 'decision' ? 'decision' : 'action',
    action: step.action,
    callId: `imported-${old.id}-${index + 1}`,
    digest: '',
    replay: 'never',
    startedAt: step.timestamp,
    endedAt: step.timestamp,
    result: step.result ?? null,
    error: step.error ?? null,
    memory: {},
  }));

const prototype = '"__proto__" is no name for anything in it';

const refused = (what: HostText, where?: string) =>
  err(
    fail(
      'corrupt',
      'tasks.importFailed',
      { why: what },
      { help: 'tasks.repairFile', ...(where ? { where } : {}) },
    ),
  );

const bearsIt = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__');

/** Whether any key in the value is `__proto__`. */
function namesPrototype(whole: unknown): boolean {
  const open = [whole];
  while (open.length > 0) {
    const value = open.pop();
    if (bearsIt(value)) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) open.push(inner);
  }
  return false;
}

function wholeFile(text: string): Result<z.output<typeof fileSchema>> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refused(say('tasks.invalidJson'));
  }
  if (bearsIt(json) || bearsIt((json as { readonly tasks?: unknown } | null)?.tasks))
    return refused(prototype);
  const parsed = fileSchema.safeParse(json);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return refused(issue ? issueText(issue) : say('tasks.invalidShape'), issue?.path.join('.'));
}

function oneTask(name: string, value: unknown): Result<ImportedTask> {
  if (namesPrototype(value)) return refused(prototype, `tasks.${name}`);
  const parsed = taskSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refused(
      issue ? issueText(issue) : say('tasks.invalidShape'),
      ['tasks', name, ...(issue?.path ?? [])].join('.'),
    );
  }
  const old = parsed.data;
  if (name !== String(old.id))
    return refused(say('tasks.taskNumberMismatch', { id: old.id }), `tasks.${name}`);
  return ok({ number: old.id, task: bodyOf(old), steps: stepsOf(old) });
}

/**
 * Tasks in order of their numbers. Their keys are stable, so a second import adds nothing. The generator
 * yields after each task, so a large file does not block the caller.
 */
export function* readPersonalAgentTasks(text: string): Generator<void, Result<readonly ImportedTask[]>> {
  const file = wholeFile(text);
  if (!file.ok) return file;
  const tasks: ImportedTask[] = [];
  for (const [name, value] of Object.entries(file.value.tasks)) {
    const task = oneTask(name, value);
    if (!task.ok) return task;
    tasks.push(task.value);
    yield;
  }
  return ok(tasks.sort((a, b) => a.number - b.number));
}
