/**
 * `reload_system_prompt` and `refresh` (spec §7). Instructions, notes and skills are read again for every
 * turn anyway; a change of the model needs the operator's approval each time.
 */
import { z } from 'zod';
import type { Result } from '../../../contract/result.ts';
import { defineTool } from '../../../core/tools/define-tool.ts';
import { blockedBy, failureOutput, textOutput } from '../../../core/tools/output.ts';
import type { Tool } from '../../../core/tools/tool.ts';
import { say } from '../../../language/say.ts';
import { plainName } from '../files/shown-path.ts';

export interface ModelOfAgent {
  /** Absolute path of agent.yml. */
  readonly path: string;
  /** The current model; empty for the default. */
  model(): string;
  /** Fails if no turn could start with this model. */
  check(model: string): Result<void>;
  use(model: string): Promise<Result<void>>;
}

const where = say('approvals.itsSettings');
const common = { group: 'puffo', core: false, timeoutMs: 30_000, replay: 'safe' } as const;
const anew =
  'Your instructions, notes and skills are read anew for every turn; changes count from the next one.';

function createReloadTool(): Tool {
  return defineTool({
    ...common,
    name: 'reload_system_prompt',
    description: 'Has your instructions, notes and skills read again for your next turn.',
    input: z.strictObject({}),
    assess: () => ({
      risk: 'low',
      effects: [],
      preview: {
        kind: 'text',
        title: say('actions.readInstructions'),
        body: 'read its instructions again',
        where,
      },
    }),
    execute: async () => textOutput(anew),
  });
}

const input = z.strictObject({
  model: z
    .string()
    .min(1)
    .max(200)
    .nullish()
    .describe('Another model for your turns; leave it out to keep yours'),
});

function createRefreshTool(own: ModelOfAgent): Tool {
  return defineTool({
    ...common,
    name: 'refresh',
    description: 'Begins your next turn with everything read anew, and with another model if you name one.',
    input,
    assess({ model }) {
      if (model == null) {
        const title = say('actions.beginAnew');
        return { risk: 'low', effects: [], preview: { kind: 'text', title, body: title.text, where } };
      }
      const title = say('actions.thinkWith', { model: plainName(model) });
      const body = `Now: ${own.model() || 'the default'}\nThen: ${plainName(model)}\nAnother model may cost more.`;
      const preview = { kind: 'text', title, body, where } as const;
      const fits = own.check(model);
      if (!fits.ok) return blockedBy(fits.error, preview);
      return { risk: 'high', effects: [{ kind: 'write', path: own.path }], preview };
    },
    async execute({ model }) {
      if (model == null) return textOutput(anew);
      const used = await own.use(model);
      return used.ok ? textOutput(`Your next turn thinks with ${model}.`) : failureOutput(used.error);
    },
  });
}

export const createRefreshTools = (own: ModelOfAgent): readonly Tool[] => [
  createReloadTool(),
  createRefreshTool(own),
];
