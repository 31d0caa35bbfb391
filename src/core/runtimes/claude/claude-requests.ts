/** Lines for the standard input of Claude Code: one JSON object each. */
import type { UserContent } from '../../models/messages.ts';

type Input = Readonly<Record<string, unknown>>;

const request = (requestId: string, body: object): string =>
  JSON.stringify({ type: 'control_request', request_id: requestId, request: body });

const response = (requestId: string, body: object): string =>
  JSON.stringify({
    type: 'control_response',
    response: { subtype: 'success', request_id: requestId, response: body },
  });

/** Sent first. The prompt goes this way, because other programs can read arguments and files. */
export const initializeLine = (requestId: string, servers: readonly string[], prompt: string): string =>
  request(requestId, {
    subtype: 'initialize',
    hooks: null,
    sdkMcpServers: [...servers],
    appendSystemPrompt: prompt,
  });

export const interruptLine = (requestId: string): string => request(requestId, { subtype: 'interrupt' });

/** The call runs with `input`, which may differ from what was asked. */
export const allowLine = (requestId: string, input: Input): string =>
  response(requestId, { behavior: 'allow', updatedInput: input });

export const denyLine = (requestId: string, reason: string): string =>
  response(requestId, { behavior: 'deny', message: reason });

export const mcpLine = (requestId: string, answer: object): string =>
  response(requestId, { mcp_response: answer });

/** Refuses a request that Kennel does not know. */
export const refuseLine = (requestId: string, error: string): string =>
  JSON.stringify({
    type: 'control_response',
    response: { subtype: 'error', request_id: requestId, error },
  });

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export const userLine = (content: readonly UserContent[]): string =>
  JSON.stringify({
    type: 'user',
    message: {
      role: 'user',
      content: content.map((block) =>
        block.type === 'text'
          ? { type: 'text', text: block.text }
          : imageTypes.has(block.mimeType)
            ? { type: 'image', source: { type: 'base64', media_type: block.mimeType, data: block.data } }
            : { type: 'text', text: `[${block.mimeType}]` },
      ),
    },
    parent_tool_use_id: null,
  });
