/** Joins sentences of the host; empty ones are left out. */
import type { HostText } from '../language/host-message.ts';
import { say } from '../language/say.ts';

export const joinTexts = (texts: readonly (HostText | undefined)[]): HostText =>
  texts.reduce<HostText>((first, second) => {
    if (second === undefined || second === '') return first;
    return first === '' ? second : say('host.twoSentences', { first, second });
  }, '');
