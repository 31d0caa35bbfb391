import { type Facts, type Noted, withFacts } from '../../core/tasks/task-memory.ts';
import { rememberTool } from '../../core/tasks/task-prompts.ts';
import { failureText, textOutput, toolErrorOutput } from '../../core/tools/output.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { say } from '../../language/say.ts';

export interface RememberToolDeps {
  memory(): Facts;
  /** Untrusted content may have reached the agent through its own notes. */
  foreign(): boolean;
}

/** Saves facts for the rest of the task; the journal keeps them with the step of this call. */
export const createRememberTool = ({ memory, foreign }: RememberToolDeps): Tool => ({
  name: rememberTool,
  group: 'core',
  core: true,
  replay: 'safe',
  executionMode: 'sequential',
  reveals: [],
  description:
    'Notes down named facts of this task, any JSON. They outlast summaries, restarts and forks, and people see them. null forgets a name.',
  parameters: {
    type: 'object',
    properties: {
      facts: { type: 'object', description: 'By name, e.g. {"invoice": "A-17", "draft": null}.' },
    },
    required: ['facts'],
    additionalProperties: false,
  },
  assess: () => ({
    risk: 'low',
    effects: [],
    preview: { kind: 'text', title: say('actions.noteTaskFacts'), body: '', where: '' },
  }),
  async execute(args, { tainted }) {
    const noted = args.facts as Facts;
    const known = withFacts(memory(), noted);
    if (!known.ok) return toolErrorOutput(failureText(known.error));
    const names = Object.keys(known.value);
    const kept: Noted = { noted: { ...noted }, foreign: tainted !== false || foreign() };
    return textOutput(`Noted. The task knows now: ${names.join(', ') || 'nothing'}.`, kept);
  },
});
