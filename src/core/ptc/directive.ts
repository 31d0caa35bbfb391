/**
 * Directives: code that a model writes into its answer as a fenced block or as an XML call, with a target and an
 * action: `bash:execute` runs code, `notes.md:create` writes a file.
 */

export type DirectiveAction = 'execute' | 'create';

export interface Directive {
  /** Language of the code, or name of the file, as the model wrote it. Untrusted: it may hold `..`. */
  readonly target: string;
  readonly action: DirectiveAction;
  /** The text between the fence lines without its last LF. CRLF is LF in code, and stays in files. */
  readonly body: string;
  /** The characters of the answer that form the directive. */
  readonly source: string;
}

/**
 * The texts of `text`, `dropped` and `incomplete`, and the sources of the directives, concatenated in order, are the
 * input.
 */
export type DirectiveEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'directive'; readonly directive: Directive }
  /** Prose follows the group of directives: nothing after it counts. Emitted once. */
  | { readonly type: 'stop' }
  /** Text after the stop: the model wrote it without the results. */
  | { readonly type: 'dropped'; readonly text: string }
  /** The answer ended inside this directive, so it must not run. */
  | {
      readonly type: 'incomplete';
      readonly target: string;
      readonly action: DirectiveAction;
      readonly text: string;
    };

/** Content of the file that a `create` directive writes. */
export const fileContent = ({ body }: Pick<Directive, 'body'> & Partial<Directive>): string =>
  body === '' ? '' : `${body}\n`;
