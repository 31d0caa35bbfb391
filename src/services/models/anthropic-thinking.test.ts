import { describe, expect, it } from 'vitest';
import type { ThinkingLevel } from '../../core/models/model-ports.ts';
import { anthropicThinking } from './anthropic-thinking.ts';

const ask = (model: string, thinkingLevel: ThinkingLevel, maxOutputTokens = 64_000) =>
  anthropicThinking(model, { maxOutputTokens, thinkingLevel, temperature: 0.5 });
const effort = (level: string) => ({ output_config: { effort: level } });

describe('Thinking levels at Anthropic', () => {
  it.each([
    ['claude-3-5-haiku-20241022', 'high', { temperature: 0.5 }],
    ['claude-3-7-sonnet-latest', 'low', { thinking: { type: 'enabled', budget_tokens: 4_096 } }],
    ['claude-sonnet-4-20250514', 'medium', { thinking: { type: 'enabled', budget_tokens: 10_240 } }],
    ['claude-haiku-4-5-20251001', 'off', { temperature: 0.5 }],
    ['claude-sonnet-4-6', 'xhigh', { thinking: { type: 'adaptive' }, ...effort('high') }],
    ['claude-opus-4-6', 'max', { thinking: { type: 'adaptive' }, ...effort('max') }],
    [
      'claude-opus-4-7',
      'xhigh',
      { thinking: { type: 'adaptive', display: 'summarized' }, ...effort('xhigh') },
    ],
    ['claude-sonnet-5', 'off', { thinking: { type: 'disabled' } }],
    ['claude-opus-5-5', 'off', effort('low')],
    ['claude-fable-5', 'off', effort('low')],
    [
      'claude-haiku-5-5',
      'minimal',
      { thinking: { type: 'adaptive', display: 'summarized' }, ...effort('low') },
    ],
    ['my-own-alias', 'high', { thinking: { type: 'adaptive' }, ...effort('high') }],
  ] as const)('%s, %s', (model, level, expected) => {
    expect(ask(model, level)).toEqual(expected);
  });
  it('leave room for the answer, and are switched off if there is no room for thinking', () => {
    expect(ask('claude-sonnet-4-5', 'max', 8_192)).toEqual({
      thinking: { type: 'enabled', budget_tokens: 7_168 },
    });
    expect(ask('claude-sonnet-4-5', 'max', 1_500)).toEqual({ temperature: 0.5 });
  });
});
