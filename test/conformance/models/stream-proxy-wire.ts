import { createStreamProxyModel } from '../../../src/services/models/stream-proxy.ts';
import type { AdapterUnderTest, Script, ScriptBlock } from './adapter-under-test.ts';

const line = (event: object): string => `data: ${JSON.stringify(event)}\n\n`;

function blockLines(block: ScriptBlock, contentIndex: number): string[] {
  const kind = block.type === 'call' ? 'toolcall' : block.type;
  const begun = block.type === 'call' ? { id: block.id, toolName: block.name } : {};
  const signed = block.type === 'thinking' ? { contentSignature: block.signature } : {};
  return [
    line({ type: `${kind}_start`, contentIndex, ...begun }),
    ...block.pieces.map((delta) => line({ type: `${kind}_delta`, contentIndex, delta })),
    line({ type: `${kind}_end`, contentIndex, ...signed }),
  ];
}

function wire({ id, blocks, stop, usage }: Script): readonly string[] {
  const totalTokens = usage.input + usage.output + usage.cacheRead;
  return [
    line({ type: 'start' }),
    ...blocks.flatMap(blockLines),
    line({
      type: 'done',
      reason: stop,
      responseId: id,
      usage: { ...usage, cacheWrite: 0, totalTokens, cost: null },
    }),
  ];
}

export const streamProxyAdapter: AdapterUnderTest = {
  name: 'stream-proxy',
  create: createStreamProxyModel,
  provider: 'kennel-proxy',
  model: 'anthropic/claude-sonnet-4-6',
  basePath: '',
  wire,
};
