/** Urgency of a message for an agent (spec §6.3): low numbers first. */
import type { Priority } from '../puffo/account-store.ts';

export interface Urgency {
  /** A direct message, or a mention of the agent's own slug. */
  readonly direct: boolean;
  readonly senderIsBot: boolean;
  /** Created by Kennel itself, e.g. an introduction prompt. */
  readonly system?: boolean;
}

export function priorityOf(urgency: Urgency): Priority {
  if (urgency.system) return 5;
  if (urgency.direct) return urgency.senderIsBot ? 2 : 1;
  return urgency.senderIsBot ? 4 : 3;
}
