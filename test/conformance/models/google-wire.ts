import { GoogleGenAI } from '@google/genai';
import { createGoogleModel } from '../../../src/services/models/google.ts';
import { type AdapterUnderTest, type Script, type ScriptBlock, testKey } from './adapter-under-test.ts';

const model = 'gemini-3.8-flash';
const finish = { stop: 'STOP', length: 'MAX_TOKENS', toolUse: 'STOP' };

/** Calls arrive whole, with the signature of the preceding thinking; text arrives in pieces. */
function parts(block: ScriptBlock): Record<string, unknown>[] {
  if (block.type === 'text') return block.pieces.map((text) => ({ text }));
  if (block.type === 'thinking') return block.pieces.map((text) => ({ text, thought: true }));
  const args = JSON.parse(block.pieces.join('') || '{}') as unknown;
  return [{ functionCall: { id: block.id, name: block.name, args }, thoughtSignature: 'c2lnbmF0dXJl' }];
}

function wire({ id, blocks, stop, usage }: Script): readonly string[] {
  const usageMetadata = {
    promptTokenCount: usage.input + usage.cacheRead,
    cachedContentTokenCount: usage.cacheRead,
    candidatesTokenCount: usage.output - usage.reasoning,
    thoughtsTokenCount: usage.reasoning,
    totalTokenCount: usage.input + usage.cacheRead + usage.output,
  };
  const chunk = (content: object, more: object = {}, usageOf: object = {}): string =>
    `data: ${JSON.stringify({
      candidates: [{ content, index: 0, ...more }],
      ...usageOf,
      modelVersion: model,
      responseId: id,
    })}\r\n\r\n`;
  const pieces = blocks.flatMap(parts).map((part) => chunk({ parts: [part], role: 'model' }));
  const last = chunk(
    { parts: [{ text: '' }], role: 'model' },
    { finishReason: finish[stop] },
    { usageMetadata },
  );
  return [...pieces, last];
}

export const googleAdapter: AdapterUnderTest = {
  name: 'google',
  create: createGoogleModel,
  provider: 'google',
  model,
  basePath: '',
  wire,
  without: ['signature', 'pieces'],
  async secondOpinion(baseUrl) {
    const client = new GoogleGenAI({ apiKey: testKey, httpOptions: { baseUrl } });
    const stream = await client.models.generateContentStream({ model, contents: 'hi' });
    const opinion = { text: '', calls: [] as { name: string; arguments: unknown }[], outputTokens: 0 };
    for await (const chunk of stream) {
      for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
        if (part.text && !part.thought) opinion.text += part.text;
        if (part.functionCall)
          opinion.calls.push({ name: part.functionCall.name ?? '', arguments: part.functionCall.args });
      }
      const usage = chunk.usageMetadata;
      if (usage) opinion.outputTokens = (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0);
    }
    return opinion;
  },
};
