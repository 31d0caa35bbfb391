/** A sentence as part of another one, which has a full stop of its own. */
export const clause = (sentence: string): string => sentence.replace(/(?<!\.)\.\s*$/, '');
