import { fail } from '../../contract/fail.ts';

export const tooSlow = (what: string) =>
  fail('timeout', 'identity.demoNotFinished', { what }, { help: 'identity.tryAgain' });
