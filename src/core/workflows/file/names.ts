/** Patterns of the names in a workflow file: ids, arguments, parts of a reference. */

/** Names that a text may refer to; anything else that looks like a reference is plain text. */
export interface KnownNames {
  readonly steps: ReadonlySet<string>;
  readonly args: ReadonlySet<string>;
  /** Item and index variables of the loops in the file. */
  readonly loops: ReadonlySet<string>;
}

export const idPattern = /^[A-Za-z0-9_-]{1,64}$/;
/** Also allows `user.name` and `reply to`: callers cannot always choose the names. */
export const argPattern = /^\w(?:[\w./@ -]{0,62}[\w./@-])?$/;
export const variablePattern = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** `__proto__` is refused, because as a key it would set the prototype. */
export const isName = (pattern: RegExp, name: string): boolean => pattern.test(name) && name !== '__proto__';
