/** Titles of a tool call while it runs and after its end: "writing hello.md", "wrote hello.md". */
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { conjugate, isVerb } from '../../language/verb-forms.ts';

export type StepPhase = 'running' | 'done' | 'not_done';

/** A plain title starts with a verb, like a preview: "write hello.md". Unknown verbs stay unchanged. */
export function stepTitle(title: HostText, phase: StepPhase): HostText {
  if (typeof title === 'string') return plainStepTitle(title, phase);
  if (!title.key.startsWith('actions.')) return title;
  if (phase === 'not_done') return say('steps.notDone', { action: title });
  const area = phase === 'running' ? 'actionsRunning.' : 'actionsDone.';
  return { ...title, key: title.key.replace('actions.', area), text: conjugate(title.text, phase) };
}

function plainStepTitle(title: string, phase: StepPhase): string {
  if (phase !== 'not_done') return conjugate(title, phase);
  return isVerb(title.split(' ')[0] ?? '') ? `did not ${title}` : title;
}

const mainArguments = ['path', 'cmd', 'command', 'channel', 'name', 'query', 'pattern'] as const;

/** Title without a preview: the tool name and its main argument. */
export function plainTitle(tool: string, args: Readonly<Record<string, unknown>>): HostText {
  const about = mainArguments.map((name) => args[name]).find((value) => typeof value === 'string');
  return typeof about === 'string'
    ? say('actions.useToolOn', { tool, what: about.slice(0, 120) })
    : say('actions.useTool', { tool });
}
