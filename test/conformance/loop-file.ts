/** The file format of the agent loop's cases: set-up, actions and expectations. */
import { z } from 'zod';

const action = z.strictObject({
  when: z.strictObject({
    type: z.string(),
    inner: z.string().optional(),
    /** Role of the message that the event concerns. */
    role: z.string().optional(),
    /** Id of the call that the event or its message concerns. */
    toolCallId: z.string().optional(),
    nth: z.number().optional(),
  }),
  op: z.enum(['abort', 'steer', 'followUp', 'prompt', 'continue', 'reset']),
  text: z.string().optional(),
});

const operation = z.strictObject({
  op: z.enum(['prompt', 'continue', 'steer', 'followUp', 'abort', 'reset']),
  text: z.union([z.string(), z.array(z.string())]).optional(),
});

const block = z.union([
  z.strictObject({ text: z.array(z.string()) }),
  z.strictObject({ thinking: z.array(z.string()) }),
  z.strictObject({
    toolCall: z.strictObject({
      id: z.string(),
      name: z.string(),
      args: z.record(z.string(), z.unknown()),
      chunks: z.array(z.string()).optional(),
    }),
  }),
]);

const answer = z.strictObject({
  blocks: z.array(block),
  stopReason: z.enum(['stop', 'length', 'toolUse', 'error', 'aborted']).optional(),
  errorMessage: z.string().optional(),
  emit: z.enum(['doneOnly', 'throw']).optional(),
  hangAfter: z.number().optional(),
});

const behaviour = z.strictObject({
  return: z.string().optional(),
  throw: z.string().optional(),
  delayMs: z.number().optional(),
  updates: z.array(z.string()).optional(),
  lateUpdate: z.string().optional(),
  untilAbort: z.enum(['throw', 'return']).optional(),
  text: z.string().optional(),
  terminate: z.boolean().optional(),
});

const tool = z.strictObject({
  name: z.string(),
  parameters: z.record(z.string(), z.unknown()).optional(),
  executionMode: z.enum(['parallel', 'sequential']).optional(),
  behaviour: z.record(z.string(), behaviour),
});

const hook = z.strictObject({
  block: z.boolean().optional(),
  reason: z.string().optional(),
  throw: z.string().optional(),
  content: z.string().optional(),
  /** Alias of `content`. */
  text: z.string().optional(),
  isError: z.boolean().optional(),
  terminate: z.boolean().optional(),
});

const earlierCall = z.strictObject({
  id: z.string(),
  name: z.string().default('echo'),
  args: z.record(z.string(), z.unknown()).default({}),
});

const earlierMessage = z.strictObject({
  role: z.string(),
  text: z.string().default(''),
  thinking: z.string().optional(),
  toolCalls: z
    .array(z.union([z.string().transform((id) => earlierCall.parse({ id })), earlierCall]))
    .optional(),
  toolCallId: z.string().optional(),
  toolName: z.string().optional(),
  isError: z.boolean().optional(),
});

const input = z.strictObject({
  initialMessages: z.array(earlierMessage).optional(),
  config: z
    .strictObject({
      toolExecution: z.enum(['parallel', 'sequential']).optional(),
      steeringMode: z.enum(['one-at-a-time', 'all']).optional(),
      followUpMode: z.enum(['one-at-a-time', 'all']).optional(),
      thinkingLevel: z.enum(['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).optional(),
      sessionId: z.string().optional(),
      apiKeys: z.array(z.string()).optional(),
    })
    .optional(),
  tools: z.array(tool).optional(),
  hooks: z
    .strictObject({
      before: z.record(z.string(), hook).optional(),
      after: z.record(z.string(), hook).optional(),
      transformContextKeepLast: z.number().optional(),
      dropRole: z.string().optional(),
    })
    .optional(),
  provider: z.array(answer),
  actions: z.array(action).optional(),
  script: z.array(operation),
});

const expected = z.strictObject({
  events: z.array(z.looseObject({ type: z.string() })).optional(),
  providerRequests: z.array(z.looseObject({ messages: z.array(z.string()) })).optional(),
  executed: z.array(z.unknown()).optional(),
  hookCalls: z.array(z.string()).optional(),
  rejections: z.array(z.strictObject({ op: z.string(), message: z.unknown() })).optional(),
  messages: z.array(z.looseObject({ role: z.string() })).optional(),
  stateAfter: z.record(z.string(), z.unknown()).optional(),
});

export const loopCase = z.strictObject({
  name: z.string(),
  about: z.string().optional(),
  note: z.string().optional(),
  level: z.enum(['universal', 'current', 'target']),
  input,
  expected,
});

/** Cases are parsed one by one, so that an invalid one fails alone. */
export const loopFile = z.looseObject({ cases: z.array(z.unknown()).min(1) });

export type LoopCase = z.infer<typeof loopCase>;
export type LoopInput = z.infer<typeof input>;
export type EarlierMessage = z.infer<typeof earlierMessage>;
export type ScriptedAnswer = z.infer<typeof answer>;
export type ScriptedTool = z.infer<typeof tool>;
