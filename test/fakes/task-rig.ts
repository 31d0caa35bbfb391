/** Task work with a scripted model, tools that count, and a real store that tests can kill at any write. */
import { ok } from '../../src/contract/result.ts';
import type { ApprovalGate, GateCall, GateDecision } from '../../src/core/approvals/approval-gate.ts';
import type { ModelChoice } from '../../src/core/models/choose-model.ts';
import type { ModelPort, ModelPrice } from '../../src/core/models/model-ports.ts';
import { createProviderGate } from '../../src/core/models/provider-gate.ts';
import type { SpendGate } from '../../src/core/models/spend-gate.ts';
import { createChatLocalRuntime } from '../../src/core/runtimes/chat-local.ts';
import type { RuntimeModels, TurnResources } from '../../src/core/runtimes/runtime-ports.ts';
import type { TurnAbort } from '../../src/core/supervisor/runtime-port.ts';
import { workOnTask } from '../../src/core/supervisor/task-work.ts';
import { createClaimedSteps } from '../../src/core/tasks/claimed-steps.ts';
import type { Task } from '../../src/core/tasks/task.ts';
import { TaskJournal } from '../../src/core/tasks/task-journal.ts';
import type { TaskStore } from '../../src/core/tasks/task-ports.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { taskResources, turnOf } from '../../src/host/tasks/task-runtime.ts';
import { createFreeSpend } from './free-spend.ts';
import { createMemoryTranscriptStore } from './memory-transcript-store.ts';
import { createMemoryReadLog, ownAudience } from './own-audience.ts';
import { createRecordingLog } from './recording-log.ts';
import type { ScriptedReply } from './scripted-stream.ts';
import { createScriptedModel } from './scripted-stream.ts';
import { createSeededRandom } from './seeded-random.ts';
import { leaseOf } from './task-samples.ts';
import { createVirtualClock } from './virtual-clock.ts';

const choice: ModelChoice = {
  provider: 'fake',
  adapter: 'openai-responses',
  model: 'm',
  baseUrl: 'http://x',
  apiKey: 'k',
  auth: 'api_key',
  scripted: false,
  reason: 'agent',
};
const allow: GateDecision = { type: 'allow', by: 'policy', receiptId: null };

export class Killed extends Error {}

/** Kills the process before change number `writes`; every later write throws. */
export function killedAfter(store: TaskStore, writes: number): TaskStore {
  let left = writes;
  const mortal = <A extends unknown[], R>(write: (...args: A) => R) => {
    return (...args: A): R => {
      if (left <= 0) throw new Killed('killed');
      left -= 1;
      return write(...args);
    };
  };
  return {
    ...store,
    change: mortal(store.change),
    startStep: mortal(store.startStep),
    endStep: mortal(store.endStep),
  };
}

export interface TaskRigOptions {
  readonly tools?: readonly Tool[];
  readonly check?: ApprovalGate['check'];
  /** Id of the approval that a call waits for. */
  readonly waitingFor?: (call: Pick<GateCall, 'callId'>) => string | null;
  readonly toolsPerStep?: number;
  readonly contextWindow?: number;
  /** `null` if unknown; absent: sample prices. */
  readonly price?: ModelPrice | null;
  readonly foreignNotes?: () => boolean;
  readonly told?: string[];
  /** Whether the agent may call its model; absent: always. */
  readonly admit?: SpendGate['admit'];
  /** Whether the run that a call started has ended. */
  readonly isOver?: (run: string) => boolean;
}

export function taskRig(replies: readonly ScriptedReply[], options: TaskRigOptions = {}) {
  const clock = createVirtualClock();
  const random = createSeededRandom(1);
  const script = createScriptedModel(replies);
  const model: ModelPort = {
    api: 'openai-responses',
    stream: (_target, context, _options, signal) =>
      script.stream(
        context,
        {
          model: { api: 'openai-responses', provider: 'fake', id: 'm' },
          thinkingLevel: 'off',
          apiKey: null,
          idleMs: 90_000,
        },
        signal,
      ),
  };
  const log = createRecordingLog();
  const models: RuntimeModels = {
    choose: () => ok(choice),
    model: async () => model,
    facts: () => ({
      contextWindow: options.contextWindow ?? null,
      maxOutputTokens: null,
      answerTokens: null,
      temperature: null,
      vision: null,
      nativeTools: true,
      price:
        options.price === undefined
          ? { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, simulated: true }
          : options.price,
    }),
    gate: createProviderGate({ clock, random }),
  };
  const turns: TurnResources = {
    spend: createFreeSpend({
      isPriced: () => options.price !== null,
      ...(options.admit ? { admit: options.admit } : {}),
    }),
    kit: async () => ({
      tools: options.tools ?? [],
      gate: { check: options.check ?? (async () => allow) },
      waitingFor: (call) => options.waitingFor?.(call) ?? null,
      sentHere: () => null,
      foreignNotes: () => options.foreignNotes?.() ?? false,
    }),
    settings: () => ({ thinking: 'off', turnMs: 60_000 }),
    readers: { isOperator: () => true, audience: ownAudience, reads: createMemoryReadLog() },
    digest: () => 'd',
    transcripts: createMemoryTranscriptStore(),
  };

  /** Claims the next task and works on it until the claim ends. `null` if no task is ready. */
  async function work(
    store: TaskStore,
    during: { readonly signal?: AbortSignal; readonly leaving?: AbortSignal } = {},
  ): Promise<Task | null> {
    const owner = random.uuid();
    const task = store.claim({ lease: leaseOf(owner), now: clock.now() });
    if (!task) return null;
    const claim = { owner, claim: task.claim };
    const turn = new AbortController();
    const end = (why: TurnAbort): void => turn.abort(why);
    during.signal?.addEventListener('abort', () => end('stopped'), { once: true });
    const leaving = during.leaving ?? new AbortController().signal;
    const journal: TaskJournal = new TaskJournal({
      task,
      steps: createClaimedSteps({ store, taskId: task.id, claim, clock }),
      clock,
      leaving,
      onStop: () => end('interrupted'),
      onStep: () => undefined,
    });
    leaving.addEventListener('abort', () => {
      if (!journal.working) journal.halt({ type: 'left' });
    });
    const resources = taskResources({
      task,
      journal,
      turns,
      calls: {
        digest: (tool, args) => `${tool} ${JSON.stringify(args)}`,
        perStep: () => options.toolsPerStep ?? 3,
      },
      pause: {
        forApproval(approvalId) {
          const asked = store.change(task.id, { type: 'approval-asked', by: claim, approvalId }, clock.now());
          if (asked.ok) journal.halt({ type: 'waiting' });
          return asked.ok;
        },
        async forRun(run) {
          const awaited = { type: 'run-awaited', by: claim, run, name: run } as const;
          const held = options.isOver?.(run) !== true && store.change(task.id, awaited, clock.now()).ok;
          if (held) journal.halt({ type: 'waiting' });
          return held;
        },
      },
    });
    const runtime = createChatLocalRuntime({ turns: resources, models, clock, random, log });
    const context = {
      prompt: { primer: '', profile: '', memory: '' },
      persona: { displayName: 'A', slug: 'a-1', role: '' },
      maxInlineChars: 4_000,
      segmentChars: 2_000,
      plainModel: true,
      untrustedNotes: '',
      onArrival: 'steer' as const,
    };
    const finishing = async (_task: Task, result: string) => void options.told?.push(result);
    await workOnTask(
      { store, clock, random, log, finishing },
      { task, claim, journal, runtime, turn: turnOf(task, 'a', context, journal), signal: turn.signal },
    );
    return store.task(task.id);
  }
  return { clock, requests: script.requests, work };
}
