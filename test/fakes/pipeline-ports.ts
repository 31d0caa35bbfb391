/** Pipeline ports without outside effects that record their calls. */
import { createHash } from 'node:crypto';
import { textError } from '../../src/contract/errors.ts';
import { err, ok, type Result } from '../../src/contract/result.ts';
import type { JsonValue } from '../../src/core/workflows/pipeline/exact-json.ts';
import type {
  ExecEvent,
  ExecRequest,
  InvokeRequest,
  LlmReply,
  LlmRequest,
  PipelinePorts,
} from '../../src/core/workflows/pipeline/pipeline-ports.ts';

interface Program {
  /** May be infinite. */
  readonly chunks: Iterable<string>;
  readonly code?: number;
  readonly stderr?: string;
}

export interface PipelineWorld {
  readonly ports: PipelinePorts;
  readonly state: Map<string, JsonValue>;
  readonly ran: ExecRequest[];
  /** Number of programs whose output was not read to the end. */
  stopped: number;
  readonly posted: InvokeRequest[];
  readonly asked: LlmRequest[];
}

export interface WorldOptions {
  readonly program?: (request: ExecRequest) => Program | null;
  readonly ambient?: PipelinePorts['gateway']['ambient'];
  readonly answer?: (request: InvokeRequest) => { readonly status: number; readonly body: string };
  readonly model?: (request: LlmRequest) => Result<LlmReply>;
  readonly files?: Readonly<Record<string, string>>;
}

export const words = ({ command }: ExecRequest): string =>
  command.kind === 'shell' ? command.line : [command.program, ...command.args].join(' ');

async function* perform(world: PipelineWorld, program: Program | null): AsyncGenerator<Result<ExecEvent>> {
  if (program === null) {
    yield err(textError('not_found', 'The program was not found.'));
    return;
  }
  let whole = false;
  try {
    for (const text of program.chunks) yield ok({ type: 'stdout', text });
    whole = true;
    yield ok({ type: 'ended', code: program.code ?? 0, signal: null, stderr: program.stderr ?? '' });
  } finally {
    if (!whole) world.stopped += 1;
  }
}

const reply = (text: string): Result<LlmReply> =>
  ok({ runId: 'r1', model: 'm1', text, usage: { output: 1 } });

export function createPipelineWorld(options: WorldOptions = {}): PipelineWorld {
  const state = new Map<string, JsonValue>();
  const at = (space: string, key: string): string => JSON.stringify([space, key]);
  const world: PipelineWorld = {
    state,
    ran: [],
    stopped: 0,
    posted: [],
    asked: [],
    ports: {
      exec: {
        start: (request) => {
          world.ran.push(request);
          return perform(world, options.program ? options.program(request) : { chunks: [words(request)] });
        },
      },
      state: {
        get: async (space, key) => ok(state.get(at(space, key))),
        set: async (space, key, value) => {
          state.set(at(space, key), value);
          return ok(undefined);
        },
      },
      gateway: {
        ambient: options.ambient ?? { url: null, hasToken: false },
        post: async (request) => {
          world.posted.push(request);
          return ok(options.answer?.(request) ?? { status: 200, body: '{"ok":true,"result":null}' });
        },
      },
      llm: {
        ask: async (request) => {
          world.asked.push(request);
          return options.model?.(request) ?? reply('done');
        },
      },
      workflows: {
        list: async () => ok([{ name: 'weekly' }]),
        run: async (name, args) =>
          name === 'weekly' ? ok([{ ran: name, args }]) : err(textError('not_found', `No workflow ${name}.`)),
      },
      readText: async (path) => {
        const text = options.files?.[path];
        return text === undefined ? err(textError('not_found', `${path} was not found.`)) : ok(text);
      },
      sha256: (text) => createHash('sha256').update(text).digest('hex'),
    },
  };
  return world;
}
