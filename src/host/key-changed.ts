import { type AppError, appError } from '../contract/errors.ts';

/** The error for a changed identity key, the same for the operator's account and for agents'. */
export const keyChanged = (senderSlug: string): AppError =>
  appError(
    'untrusted',
    `The identity key of ${senderSlug} changed. Their messages are held back and nothing is sent to them.`,
    { hint: 'Ask them on another way whether they made a new identity.' },
  );
