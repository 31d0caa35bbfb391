/** UTF-16 units of a result or error of a task in lists and topics; longer ones are cut. */
export const longestShown = 4_000;

/** A cut never splits a surrogate pair, so the text may be one unit shorter. */
export const isBeginning = (text: string): boolean => text.length >= longestShown - 1;
