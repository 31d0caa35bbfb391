import { appError } from '../../contract/errors.ts';

export const tooSlow = (what: string) =>
  appError('timeout', `The demo could not be finished: ${what}. What was made is kept.`, {
    hint: 'Try it once more.',
  });
