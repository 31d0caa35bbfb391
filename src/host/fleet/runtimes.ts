import type { Clock, Random } from '../../core/ports.ts';
import type { RuntimeRegistry } from '../../core/runtimes/runtime-adapter.ts';
import type { ModelAccess } from './model-access.ts';

export interface RuntimesDeps {
  readonly models: Pick<ModelAccess, 'chooseFresh' | 'model' | 'facts' | 'gate'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** The adapters of the runnable kinds (`contract/runtime-kinds.ts`). */
export const createRuntimes = ({ models, clock, random }: RuntimesDeps): RuntimeRegistry => ({
  'chat-local': async () => {
    const { createChatLocalRuntime } = await import('../../core/runtimes/chat-local.ts');
    const { model, gate } = models;
    return {
      open: ({ id, config, log }, turns) =>
        createChatLocalRuntime({
          turns,
          models: {
            choose: () => models.chooseFresh(id, config()),
            model,
            facts: (choice) => models.facts(id, choice),
            gate,
          },
          clock,
          random,
          log,
        }),
    };
  },
});
