import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';

/** The error for a changed identity key, the same for the operator's account and for agents'. */
export const keyChanged = (senderSlug: string): AppError =>
  fail(
    'untrusted',
    'secrets.identityKeyChanged',
    { slug: senderSlug },
    { help: 'secrets.askAboutNewIdentity' },
  );
