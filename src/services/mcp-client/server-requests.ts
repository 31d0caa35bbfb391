/** Answers what a server asks of the client: questions for the operator, model requests, folders. */
import {
  type Client,
  type ClientCapabilities,
  type CreateMessageRequest,
  type ElicitRequest,
  type ElicitResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';
import type { McpContent, McpElicitation, McpHandlers, McpSampling } from '../../core/mcp/mcp-ports.ts';
import type { CallDeadlines } from './call-deadline.ts';
import { readBlock } from './read-results.ts';

/** The server learns nothing about the reason. */
const refused = (): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidRequest, 'The client refused.');

export const capabilitiesFor = ({ elicit, sample, roots }: McpHandlers): ClientCapabilities => ({
  ...(elicit ? { elicitation: { form: { applyDefaults: true }, url: {} } } : {}),
  ...(sample ? { sampling: {} } : {}),
  ...(roots ? { roots: { listChanged: true } } : {}),
});

/** `null` if the page is none of the web. */
function readQuestion({ params }: ElicitRequest): McpElicitation | null {
  if (params.mode !== 'url')
    return { kind: 'form', message: params.message, schema: { ...params.requestedSchema } };
  const url = URL.parse(params.url);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return null;
  return { kind: 'url', message: params.message, url: url.href, id: params.elicitationId };
}

function readSampling({ params }: CreateMessageRequest): McpSampling {
  const { messages, systemPrompt, maxTokens, temperature, stopSequences, modelPreferences } = params;
  return {
    messages: messages.map(({ role, content }) => ({
      role,
      content: [content].flat().flatMap((block): McpContent[] => {
        if (block.type !== 'text' && block.type !== 'image' && block.type !== 'audio') return [];
        const read = readBlock(block);
        return read ? [read] : [];
      }),
    })),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    stopSequences: stopSequences ?? [],
    modelHints: (modelPreferences?.hints ?? []).flatMap(({ name }) => name ?? []),
  };
}

/** `deadlines` stand still while a handler works. */
export function answerRequests(client: Client, handlers: McpHandlers, deadlines: CallDeadlines): void {
  const { elicit, sample, roots } = handlers;
  if (elicit)
    client.setRequestHandler('elicitation/create', async (request, { mcpReq }): Promise<ElicitResult> => {
      const question = readQuestion(request);
      if (question === null) return { action: 'decline' };
      const answer = await deadlines.hold(() => elicit(question, mcpReq.signal));
      if (!answer.ok) return { action: 'decline' };
      if (answer.value.action !== 'accept') return { action: answer.value.action };
      const { content } = answer.value;
      return {
        action: 'accept',
        ...(content === undefined ? {} : { content: { ...content } as ElicitResult['content'] }),
      };
    });
  if (sample)
    client.setRequestHandler('sampling/createMessage', async (request, { mcpReq }) => {
      const answer = await deadlines.hold(() => sample(readSampling(request), mcpReq.signal));
      if (!answer.ok) throw refused();
      const { model, text, stopReason } = answer.value;
      return {
        role: 'assistant' as const,
        model,
        content: { type: 'text' as const, text },
        ...(stopReason === undefined ? {} : { stopReason }),
      };
    });
  if (roots)
    client.setRequestHandler('roots/list', async () => {
      const answer = await deadlines.hold(() => roots());
      if (!answer.ok) throw refused();
      return {
        roots: answer.value.map(({ uri, name }) => ({ uri, ...(name === undefined ? {} : { name }) })),
      };
    });
}
