import type { ToolStep } from '../../contract/work.ts';
import { despiteStore } from '../../core/lib/store-error.ts';
import type { StoredMessage } from '../../core/puffo/stored-message.ts';
import type { ChatAgent } from './marks.ts';

const cacheSize = 2_000;
const none: readonly ToolStep[] = [];

/** Tool steps of an own agent before a message. They never change afterwards, so each lookup is cached. */
export interface StepsOf {
  of(message: StoredMessage, agents: readonly ChatAgent[]): readonly ToolStep[];
}

export function createStepsOf(): StepsOf {
  const known = new Map<string, readonly ToolStep[]>();
  return {
    of(message, agents) {
      const remembered = known.get(message.envelopeId);
      if (remembered) return remembered;
      const agent = agents.find(({ slug }) => slug === message.senderSlug);
      const store = agent?.store;
      if (!store) return none;
      const steps = despiteStore(() => store.steps(message.envelopeId), null);
      // A message sent by a tool arrives before its turn has ended and saved all steps.
      if (steps === null || (steps.length === 0 && agent.working.size > 0)) return none;
      const oldest = known.size >= cacheSize ? known.keys().next() : null;
      if (oldest && !oldest.done) known.delete(oldest.value);
      known.set(message.envelopeId, steps.length === 0 ? none : steps);
      return steps;
    },
  };
}
