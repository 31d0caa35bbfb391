import { englishHelp } from '../english/help.ts';

/** Parts without a German text are in English. */
export const germanHelp = {
  ...englishHelp,
  general: async () => (await import('./help/general.ts')).general,
} as const;
