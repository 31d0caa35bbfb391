/**
 * The scripted model's steps in a task: the tool of a command, or a look into its workspace and a plan, and
 * then `finish`. It never claims work that only a model could do.
 */

import { type ToolResultMessage, transcriptText } from '../../../core/models/messages.ts';
import type { ModelContext } from '../../../core/models/model-ports.ts';
import { finishTool, goalIn } from '../../../core/tasks/task-prompts.ts';
import { planSteps, type Voice } from './lines.ts';
import { sampleOf } from './sample-of.ts';
import { failureLine, quiet, readCommand } from './script-command.ts';
import { type Deed, deedFor, fencedScriptText, type ScriptedCall } from './scripted-calls.ts';

export interface TaskMove {
  readonly text: string;
  readonly call: ScriptedCall | null;
  readonly fails: boolean;
}

const looking: ScriptedCall = { name: 'list_dir', arguments: { path: '.' } };
const move = (text: string, call: ScriptedCall): TaskMove => ({ text, call, fails: false });

/** `null` if the conversation is no task. */
export function taskMove(context: ModelContext, voice: Voice): TaskMove | null {
  const finish = context.tools.find(({ name }) => name === finishTool);
  if (!finish) return null;
  const all = context.messages.filter((message) => message.role === 'toolResult');
  const goals = context.messages.flatMap((message) =>
    message.role === 'user' ? (goalIn(transcriptText(message)) ?? []) : [],
  );
  const goal = goals[0] ?? '';
  const finished = (result: unknown): TaskMove => move('', { name: finishTool, arguments: { result } });
  const refused = all.some(({ toolName, isError }) => toolName === finishTool && isError);
  if (refused) return { text: 'My script has no other result.', call: null, fails: false };
  const { properties } = finish.parameters as { readonly properties?: Readonly<Record<string, unknown>> };
  const wanted = properties?.result;
  const { word, rest } = readCommand(goal);
  if (word === 'fail') return { text: '', call: null, fails: true };
  if (!isText(wanted)) return finished(sampleOf(wanted, finish.parameters));
  if (word === 'echo' && rest !== '') return finished(quiet(rest));
  const deed = deedFor(word, rest, voice);
  return deed
    ? doDeed(deed, { all, context, voice }, finished)
    : lookAndPlan(goal, { all, context }, finished);
}

const isText = (schema: unknown): boolean => (schema as { type?: unknown } | undefined)?.type === 'string';

interface Stage {
  readonly all: readonly ToolResultMessage[];
  readonly context: ModelContext;
}

const offers = ({ tools }: ModelContext, name: string): boolean => tools.some((tool) => tool.name === name);

function doDeed(
  deed: Deed,
  { all, context, voice }: Stage & { readonly voice: Voice },
  finished: (result: string) => TaskMove,
): TaskMove {
  const { name } = deed.call;
  if (!offers(context, name)) return finished(`That needs the tool \`${name}\`, and I do not have it.`);
  const results = all.filter(({ toolName }) => toolName === name);
  const failed = results.find(({ isError }) => isError);
  if (failed) return finished(failureLine(deed, failed, voice));
  if (results.length >= deed.times) return finished(deed.done(results));
  return move(results.length === 0 ? deed.before : '', deed.call);
}

function lookAndPlan(
  goal: string,
  { all, context }: Stage,
  finished: (result: string) => TaskMove,
): TaskMove {
  const seen = all.find(({ toolName }) => toolName === looking.name);
  if (!seen && offers(context, looking.name)) return move('First a look at what is there.', looking);
  const told = seen && !seen.isError ? transcriptText(seen).trim() : '';
  const listing = /^\[The folder is empty/.test(told) ? '' : told;
  const steps = planSteps.map((step, index) => `${index + 1}. ${step}`);
  const there =
    listing === '' ? 'My workspace is empty.' : `In my workspace I found:\n\n${fencedScriptText(listing)}`;
  return finished(
    [
      "I'm a scripted helper without a model behind me, so this is a plan for the goal and not the work itself.",
      `**Goal:** ${quiet(goal.slice(0, 1_000))}`,
      steps.join('\n'),
      there,
      'Give me a model on my page under *Model*, and I can do it.',
    ].join('\n\n'),
  );
}
