/** Parts of a step beside its arguments: the text that a tool call changes, and the plan that it states. */
import { z } from 'zod';
import { once } from '../../contract/once.ts';
import type { PlanEntry, ToolStep } from '../../contract/work.ts';

const textLimit = 4_000;
const planLimit = 50;
const entryLimit = 300;

type Args = Readonly<Record<string, unknown>>;

const schemas = once(() => ({
  edit: z.object({ path: z.string(), old_text: z.string(), new_text: z.string() }),
  write: z.object({ path: z.string(), content: z.string() }),
  todos: z.object({ todos: z.array(z.object({ content: z.string(), status: z.string() })) }),
}));

/** `undefined` if the call changes no text, or if it can no longer be shown line by line. */
export function textChange(tool: string, args: Args): ToolStep['change'] {
  const known = schemas();
  if (tool === 'edit_file') {
    const { data } = known.edit.safeParse(args);
    return data && { path: data.path, before: cut(data.old_text), after: cut(data.new_text) };
  }
  if (tool !== 'write_file') return undefined;
  const { data } = known.write.safeParse(args);
  return data && { path: data.path, before: '', after: cut(data.content) };
}

const cut = (text: string): string => (text.length > textLimit ? `${text.slice(0, textLimit - 2)} …` : text);

/** The plan in a call of Claude Code; `null` for other calls. */
export function planInCall(tool: string, args: Args): readonly PlanEntry[] | null {
  if (tool !== 'TodoWrite') return null;
  const { data } = schemas().todos.safeParse(args);
  return data ? data.todos.map(({ content, status }) => planEntry(content, status)) : null;
}

/** Unknown states count as pending. */
export const planEntry = (text: string, state: string): PlanEntry => ({
  text: text.slice(0, entryLimit),
  state: state === 'completed' || state === 'in_progress' ? state : 'pending',
});

export const cutPlan = (entries: readonly PlanEntry[]): PlanEntry[] => entries.slice(0, planLimit);
