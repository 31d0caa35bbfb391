import { fail } from '../../contract/fail.ts';
import { err, type Result } from '../../contract/result.ts';
import { type Answerer, unanswerable } from '../../core/approvals/outside-question.ts';
import { OpenOnce } from '../../core/lib/open-once.ts';
import { loadOnce } from '../../core/lib/shared-run.ts';
import { orStoreError } from '../../core/lib/store-error.ts';
import type { Clock } from '../../core/ports.ts';
import type { OpenParts } from '../identity/operator.ts';
import type { Problems } from '../problems.ts';
import type { OpenRuns, OpenRunsPort, RunsListener } from './open-runs.ts';
import { createRunTopics, type RunTopics } from './run-topics.ts';
import type { WorkflowFiles } from './workflow-files.ts';

/** Workflow runs of the host: open while the vault is open, and loaded on first use. */
export interface Workflows {
  /** Resumes runs once the vault is open. */
  open(parts: OpenParts): Promise<void>;
  runs(): Promise<Result<OpenRuns>>;
  readonly answerer: Answerer;
  readonly topics: RunTopics;
  /** False if no run ever existed; reading creates nothing. */
  begun(): boolean;
  /** Notifies an agent about its runs that ended while it was offline. */
  agentOnline(id: string): void;
  /** A channel with the approvers of an open question may be available now. */
  roomsChanged(): void;
  /** Starts no further step; resolves when the running ones have ended. */
  leave(): Promise<void>;
  /** Interrupts all runs; they resume later. */
  stop(): Promise<void>;
  /** Deletes the journal together with the vault. */
  erase(): Promise<Result<void>>;
}

/** Loads the code of workflow files with the first call. */
export function createLazyFiles(folder: string, examples: string | null): () => Promise<WorkflowFiles> {
  return loadOnce(async () => {
    const { createWorkflowFiles } = await import('./workflow-files.ts');
    return createWorkflowFiles(folder, examples);
  });
}

const closed = fail('locked', 'workflows.workflowsLocked', {}, { help: 'approvals.runUnlock' });

export interface WorkflowsDeps {
  readonly clock: Clock;
  readonly problems: Problems;
  /** The journal on disk. */
  readonly store: { exists(): boolean; erase(): Result<void> };
  /** Loads the code of runs with the first one, to keep startup fast. */
  readonly loadRuns: () => Promise<OpenRunsPort>;
  readonly listener: Pick<RunsListener, 'onWritten' | 'onOpened'>;
  /** Whether this host resumes unfinished runs when the vault opens. */
  readonly resumes: boolean;
}

export function createWorkflows(deps: WorkflowsDeps): Workflows {
  return new HostWorkflows(deps);
}

class HostWorkflows implements Workflows {
  readonly #deps: WorkflowsDeps;
  #parts: OpenParts | null = null;
  readonly #runs = new OpenOnce<OpenRuns>(() => this.#onOpened());
  readonly topics: RunTopics;

  constructor(deps: WorkflowsDeps) {
    this.#deps = deps;
    this.topics = createRunTopics(deps.clock, () => this.#runs.value?.book ?? null);
  }

  readonly answerer: Answerer = (approval, answer) =>
    this.#runs.value?.questions.answerer(approval, answer) ?? err(unanswerable);

  begun(): boolean {
    return this.#runs.value !== null || this.#deps.store.exists();
  }

  agentOnline(id: string): void {
    this.#runs.value?.words.online(id);
  }

  roomsChanged(): void {
    this.#runs.value?.questions.roomsChanged();
  }

  async open(parts: OpenParts): Promise<void> {
    this.#parts = parts;
    if (this.#deps.resumes && this.begun()) await this.runs();
  }

  async runs(): Promise<Result<OpenRuns>> {
    const parts = this.#parts;
    return parts ? this.#runs.open(() => this.#load(parts)) : err(closed);
  }

  async #load(parts: OpenParts): Promise<Result<OpenRuns>> {
    const { problems, listener } = this.#deps;
    const openRuns = await this.#deps.loadRuns();
    const opened = await orStoreError(async () =>
      openRuns(parts, {
        onWritten: (run, isOver) => {
          this.topics.changed(run);
          listener.onWritten(run, isOver);
        },
        onStood: (run) => this.topics.changed(run),
        onOpened: listener.onOpened,
      }),
    );
    if (!opened.ok) problems.set('workflows', 'error', opened.error);
    return opened;
  }

  #onOpened(): void {
    this.#deps.problems.clear('workflows');
    this.topics.changed(null);
  }

  async leave(): Promise<void> {
    await this.#runs.settled();
    await this.#runs.value?.driver.leave();
  }

  async stop(): Promise<void> {
    await this.#close();
    this.topics.stop();
  }

  async #close(): Promise<void> {
    this.#parts = null;
    await this.#runs.settled();
    await this.#runs.clear()?.close();
  }

  async erase(): Promise<Result<void>> {
    await this.#close();
    const erased = this.#deps.store.erase();
    if (erased.ok) this.topics.changed(null);
    return erased;
  }
}
