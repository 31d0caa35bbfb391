import { type AppError, hintOf, messageOf } from '../../contract/errors.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';

/** The message of an error and its next step as one text. */
export function withNextStep(error: AppError): HostText {
  const [first, second] = [messageOf(error), hintOf(error)];
  return second === undefined ? first : say('host.twoSentences', { first, second });
}
