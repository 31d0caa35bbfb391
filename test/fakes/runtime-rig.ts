/**
 * The loop runtime over a scripted model, tools that count their effects, and stores that survive the
 * runtime.
 */
import { ok } from '../../src/contract/result.ts';
import type { ApprovalGate, GateCall, GateDecision } from '../../src/core/approvals/approval-gate.ts';
import type { ModelChoice } from '../../src/core/models/choose-model.ts';
import { textBlock, type UserMessage, userMessage } from '../../src/core/models/messages.ts';
import type { ModelContext, ModelPort } from '../../src/core/models/model-ports.ts';
import { createProviderGate } from '../../src/core/models/provider-gate.ts';
import type { SpendRow } from '../../src/core/models/spend-gate.ts';
import type { TranscriptStore } from '../../src/core/models/transcript-store.ts';
import { createChatLocalRuntime } from '../../src/core/runtimes/chat-local.ts';
import type { RuntimeModels, TurnReaders, TurnResources } from '../../src/core/runtimes/runtime-ports.ts';
import type {
  RuntimeEvent,
  TurnAbort,
  TurnArrivals,
  TurnInput,
  TurnSlot,
} from '../../src/core/supervisor/runtime-port.ts';
import type { Tool } from '../../src/core/tools/tool.ts';
import { createFreeSpend } from './free-spend.ts';
import { createMemoryTranscriptStore } from './memory-transcript-store.ts';
import { createMemoryReadLog, ownAudience } from './own-audience.ts';
import { createRecordingLog } from './recording-log.ts';
import { createScriptedModel, type ScriptedReply } from './scripted-stream.ts';
import { createSeededRandom } from './seeded-random.ts';
import { createVirtualClock } from './virtual-clock.ts';

export const thread = 'ch|ch_1|msg_1';
export const operator = 'alice-a62c';

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

const noArrivals: TurnArrivals = { take: async () => null };
const ownPlace: TurnSlot = { lend: (work) => work };

/** A message batch of size one, as it is stored in a transcript. */
export const fromSender = (senderSlug: string, text: string): UserMessage => ({
  ...userMessage(`- sender_slug: ${senderSlug}\n- message: ${text}`, 1),
  origin: { messages: [{ id: `msg_${senderSlug}`, senderSlug }], untrusted: false },
});

export const fromOperator = (text: string) => fromSender(operator, text);

export interface CountingTool extends Tool {
  /** Tool actions, call by call. */
  readonly done: string[];
}

export function countingTool(name: string, more: Partial<Tool> = {}): CountingTool {
  const done: string[] = [];
  return {
    name,
    group: 'files',
    core: true,
    description: '',
    replay: 'never',
    done,
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
    assess: (args) => ({
      risk: 'medium',
      effects: [{ kind: 'write', path: `/w/${String(args.path)}` }],
      preview: { kind: 'text', title: `write ${String(args.path)}`, body: '', where: '/w' },
    }),
    async execute(args, { callId }) {
      done.push(`${callId} ${String(args.path)}`);
      return { content: [textBlock(`wrote ${String(args.path)}`)] };
    },
    ...more,
  };
}

export interface RigOptions {
  readonly tools?: readonly Tool[];
  readonly transcripts?: TranscriptStore;
  readonly decide?: ApprovalGate['check'];
  readonly deps?: Partial<Omit<TurnResources, 'readers'> & TurnReaders & RuntimeModels>;
  readonly arrivals?: TurnArrivals;
  readonly place?: TurnSlot;
  readonly answersIn?: TurnInput['answersIn'];
  readonly turnMs?: number;
  readonly foreignNotes?: () => boolean;
  readonly untrustedNotes?: string;
  readonly sentHere?: (callIds: readonly string[]) => string | null;
}

export function runtimeRig(replies: readonly ScriptedReply[], options: RigOptions = {}) {
  const clock = createVirtualClock();
  const random = createSeededRandom(1);
  const transcripts = options.transcripts ?? createMemoryTranscriptStore();
  const script = createScriptedModel(replies);
  const asked: { readonly at: number; readonly context: ModelContext }[] = [];
  const spent: SpendRow[] = [];
  const checked: GateCall[] = [];
  const waiting = new Set<string>();
  const model: ModelPort = {
    api: 'openai-responses',
    stream(_target, context, _options, signal) {
      asked.push({ at: clock.monotonic(), context: structuredClone(context) });
      const loopModel = { api: 'openai-responses', provider: 'fake', id: 'm' };
      return script.stream(
        context,
        { model: loopModel, thinkingLevel: 'off', apiKey: null, idleMs: 90_000 },
        signal,
      );
    },
  };
  const log = createRecordingLog();
  const {
    choose,
    model: useModel,
    facts,
    gate,
    isOperator,
    audience,
    reads,
    ...resources
  } = {
    choose: () => ok(choice),
    model: async () => model,
    facts: () => ({
      contextWindow: null,
      maxOutputTokens: null,
      answerTokens: null,
      temperature: null,
      vision: null,
      nativeTools: true,
      price: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0, simulated: true },
    }),
    gate: createProviderGate({ clock, random }),
    spend: createFreeSpend({ record: (row) => void spent.push(row) }),
    kit: async () => ({
      tools: options.tools ?? [],
      gate: {
        check(call, signal, ready) {
          checked.push(call);
          const allow: GateDecision = { type: 'allow', by: 'policy', receiptId: null };
          return options.decide?.(call, signal, ready) ?? Promise.resolve(allow);
        },
      },
      waitingFor: ({ callId }) => (waiting.has(callId) ? `ap_${callId}` : null),
      sentHere: (_turnId, ids) => options.sentHere?.(ids) ?? null,
      foreignNotes: () => options.foreignNotes?.() === true,
    }),
    settings: () => ({ thinking: 'off' as const, turnMs: options.turnMs ?? 60_000 }),
    isOperator: (slug: string) => slug === operator,
    audience: ownAudience,
    reads: createMemoryReadLog(),
    digest: () => 'd',
    transcripts,
    ...options.deps,
  } satisfies Partial<RuntimeModels & TurnReaders & TurnResources>;
  const runtime = createChatLocalRuntime({
    turns: { ...resources, readers: { isOperator, audience, reads } },
    models: { choose, model: useModel, facts, gate },
    clock,
    random,
    log,
  });
  const stop = new AbortController();
  const turn: TurnInput = {
    turnId: 'turn_1',
    agentId: 'a',
    threadKey: thread,
    firstSeq: 1,
    system: 'S',
    tainted: false,
    untrustedNotes: options.untrustedNotes ?? '',
    answersIn: options.answersIn ?? null,
    arrivals: options.arrivals ?? noArrivals,
    place: options.place ?? ownPlace,
  };
  const run = async (): Promise<readonly RuntimeEvent[]> => {
    const events: RuntimeEvent[] = [];
    for await (const event of runtime.run(turn, stop.signal)) events.push(event);
    return events;
  };
  return {
    clock,
    transcripts,
    asked,
    spent,
    checked,
    waiting,
    run,
    abort: (why: TurnAbort) => stop.abort(why),
    say: (text: string) => transcripts.append(thread, [fromOperator(text)]),
  };
}
