/** What a name may look like in a workflow file: ids, arguments, words of a reference. */

/** The names a text may refer to; everything else in it that looks like a reference is plain text. */
export interface KnownNames {
  readonly steps: ReadonlySet<string>;
  readonly args: ReadonlySet<string>;
  /** Item and index variables of the loops in the file. */
  readonly loops: ReadonlySet<string>;
}

export const idPattern = /^[A-Za-z0-9_-]{1,64}$/;
/** `user.name` and `reply to` as well: whoever calls a workflow does not always choose its words. */
export const argPattern = /^\w(?:[\w./@ -]{0,62}[\w./@-])?$/;
export const variablePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** `__proto__` is no name: as a key of a record it would be something else. */
export const isName = (pattern: RegExp, name: string): boolean => pattern.test(name) && name !== '__proto__';
