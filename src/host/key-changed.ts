import { type AppError, appError } from '../contract/errors.ts';

/** Somebody's pinned identity key is another one now: told alike by the operator's account and by an agent's. */
export const keyChanged = (senderSlug: string): AppError =>
  appError(
    'untrusted',
    `The identity key of ${senderSlug} changed. Their messages are held back and nothing is sent to them.`,
    { hint: 'Ask them on another way whether they made a new identity.' },
  );
