import { didYouMean } from '../contract/did-you-mean.ts';

/** The known name that was probably meant, or `null` if none is close. */
export const closestName: (wanted: string, names: readonly string[]) => string | null = didYouMean;
