/** Messages between the host and the thread that runs code. */
import type { CodeAnswer, CodeOutcome, CodeRequest } from '../../core/ptc/code-ports.ts';

export type ToCodeThread =
  | ({ readonly type: 'run' } & Pick<CodeRequest, 'code' | 'functions' | 'limits'>)
  | { readonly type: 'answer'; readonly call: number; readonly answer: CodeAnswer };

export type FromCodeThread =
  | { readonly type: 'call'; readonly call: number; readonly tool: string; readonly args: unknown }
  /** The interpreter is loaded and begins to compute. */
  | { readonly type: 'started' }
  /** The code waits for its calls, after this many answers. */
  | { readonly type: 'waits'; readonly answers: number }
  | { readonly type: 'end'; readonly outcome: CodeOutcome };
