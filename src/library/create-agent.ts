/**
 * Kennel's agent loop as a library: `import { createAgent } from 'kennel'`. It needs no host, data folder or
 * chat, only a model, tools that are functions of your program, and event listeners. The names exported here
 * are stable.
 */
import type { AgentOptions } from '../core/loop/agent.ts';
import { Agent } from '../core/loop/agent.ts';
import type { LoopModel, StreamFunction } from '../core/loop/stream-function.ts';
import type { ImageBlock } from '../core/models/messages.ts';
import { transcriptText } from '../core/models/messages.ts';
import { createSystemClock } from '../services/clock/system-clock.ts';
import { createSystemRandom } from '../services/clock/system-random.ts';
import { builtInModel, type NamedModel } from './built-in-model.ts';
import { type LibraryTool, toLoopTool } from './library-tool.ts';

export type { AgentEvent } from '../core/loop/events.ts';
export type { LoopTool } from '../core/loop/loop-tool.ts';
export type { StreamFunction } from '../core/loop/stream-function.ts';
export type { TextCall } from '../core/loop/text-calls.ts';
export type { AssistantMessage, Message, TranscriptMessage } from '../core/models/messages.ts';
export type { ModelContext, ModelEvent } from '../core/models/model-ports.ts';
export type { ToolOutput } from '../core/tools/tool.ts';
export type { NamedModel } from './built-in-model.ts';
export type { LibraryTool } from './library-tool.ts';

type Rest = Omit<
  AgentOptions,
  'stream' | 'model' | 'system' | 'tools' | 'thinkingLevel' | 'clock' | 'random'
>;

export interface CreateAgentOptions
  extends Rest,
    Partial<Pick<AgentOptions, 'thinkingLevel' | 'clock' | 'random'>> {
  readonly system?: string;
  readonly tools?: readonly LibraryTool[];
  /** A provider that Kennel knows; omit it to use `stream`. */
  readonly model?: NamedModel;
  /** A provider of your own. */
  readonly stream?: StreamFunction;
  /** False if the model cannot call tools; calls are then parsed from its text. */
  readonly nativeTools?: boolean;
}

export class LibraryAgent extends Agent {
  /** The text of the answer. Rejects if the run failed; `state.messages` has the messages until then. */
  async ask(text: string, images: readonly ImageBlock[] = []): Promise<string> {
    await this.prompt(text, images);
    const { errorMessage, messages } = this.state;
    if (errorMessage !== null) throw new Error(errorMessage);
    const answer = messages.findLast((message) => message.role === 'assistant');
    return answer ? transcriptText(answer) : '';
  }
}

const ownModel: LoopModel = { api: 'own', provider: 'own', id: 'own' };

/** Throws without a model or stream, and for an unknown provider. */
export function createAgent(options: CreateAgentOptions): LibraryAgent {
  const { tools = [], system = '', thinkingLevel = 'off', model, stream, nativeTools, ...rest } = options;
  const clock = options.clock ?? createSystemClock();
  const random = options.random ?? createSystemRandom();
  const known = model ? builtInModel(model, clock) : null;
  const source = stream ?? known?.stream;
  if (!source) throw new Error('Give createAgent a `model` that Kennel knows, or a `stream` of your own.');
  const described = known?.model ?? ownModel;
  return new LibraryAgent({
    ...rest,
    clock,
    random,
    system,
    thinkingLevel,
    stream: source,
    model: nativeTools === undefined ? described : { ...described, nativeTools },
    tools: tools.map(toLoopTool),
    compaction: options.compaction ?? {},
  });
}
