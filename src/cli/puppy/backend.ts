import type {
  Again,
  Envelope,
  JournalFile,
  OwnerAnswer,
  Places,
  RunDetail,
  RunItem,
  RunLogView,
  RunRequest,
  WorkflowSource,
} from '../../library/puppy/standalone.ts';

// Operations on runs, whichever storage holds them.

export interface Limits {
  readonly timeoutMs?: number;
  readonly maxStdoutBytes?: number;
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
}

export type QuestionName = { readonly token: string } | { readonly shortId: string };

export interface Backend {
  /** Description of the storage, for people. */
  readonly place: string;
  run(source: WorkflowSource, request: RunRequest): Promise<Envelope>;
  answer(by: QuestionName, answer: OwnerAnswer, limits: Limits): Promise<Envelope>;
  goOn(run: string, limits: Limits): Promise<Envelope>;
  cancel(run: string): Promise<Envelope>;
  retry(run: string, limits: Limits): Promise<Envelope>;
  again(run: string, wish: Again, limits: Limits): Promise<Envelope>;
  /** `from` is `null` for all steps. */
  places(run: string, from: string | null): Promise<Places>;
  list(query: { readonly status?: string; readonly limit: number }): Promise<readonly RunItem[]>;
  show(run: string): Promise<RunDetail>;
  step(run: string, path: string): Promise<string>;
  log(run: string): Promise<RunLogView>;
  /** `path` is absolute. */
  export(run: string, path: string): Promise<JournalFile & { readonly id: string }>;
  /** Every run ever recorded. `missing` is the number of removed ones, or `null` if it is unknown. */
  all(): Promise<{ readonly ids: readonly string[]; readonly missing: number | null }>;
  close(): void;
}
