import { isReason, silenceTexts } from '../../contract/reasons.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

/** Why an agent did not answer; an unknown reason stays as it is. */
export const reasonText = (reason: string): HostText =>
  isReason(reason) ? say(silenceTexts[reason]) : reason;
