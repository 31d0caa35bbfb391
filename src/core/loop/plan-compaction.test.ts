import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAgentRig, createRecordingJournal } from '../../../test/fakes/agent-rig.ts';
import { calls, fails, says, scriptedModel } from '../../../test/fakes/scripted-stream.ts';
import { type TranscriptMessage, transcriptText, type UserMessage, userMessage } from '../models/messages.ts';
import {
  type CompactionReport,
  compactionCut,
  compactionLimits,
  summaryContext,
  summaryHeading,
} from './plan-compaction.ts';
import { estimateContext, estimateTokens, outputLimit } from './tokens.ts';
import { Transcript } from './transcript.ts';

const long = (name: string, tokens = 1_000): UserMessage => userMessage(name.padEnd(tokens * 4, '.'), 1);

async function transcriptWithCalls(pairs: number): Promise<readonly TranscriptMessage[]> {
  const replies = Array.from({ length: pairs }, (_, n) => [
    calls([`a${n}`, 'echo', { text: 'x'.repeat(n * 40) }], [`b${n}`, 'echo', { text: 'y' }]),
    says(`answer ${n}`),
  ]).flat();
  const rig = createAgentRig(replies);
  for (let n = 0; n < pairs; n += 1) await rig.agent.prompt(`question ${n}`);
  return rig.agent.state.messages;
}

describe('compactionLimits', () => {
  it('reserves 16,384 tokens and keeps 20,000, less for a small window', () => {
    expect(compactionLimits({}, 200_000, 0)).toMatchObject({ threshold: 183_616, keepTokens: 20_000 });
    expect(compactionLimits({}, 8_000, 0)).toMatchObject({ threshold: 6_000, keepTokens: 4_000 });
    expect(compactionLimits({}, null, 90_000)).toMatchObject({ threshold: null, keepTokens: 20_000 });
  });
});

describe('compactionCut', () => {
  it('keeps the newest messages that fit', () => {
    const messages = [long('a'), long('b'), long('c'), long('d')];
    expect(compactionCut(messages, 2_000)).toBe(2);
    expect(compactionCut(messages, 100)).toBe(3);
    expect(compactionCut(messages, 100_000)).toBe(1);
    expect(compactionCut([long('a')], 1)).toBe(0);
  });

  it('never cuts between a call and its result', async () => {
    const messages = await transcriptWithCalls(8);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), (keep) => {
        const cut = compactionCut(messages, keep);
        const kept = messages.slice(cut);
        const asked = new Set(
          kept.flatMap((one) => one.content.flatMap((b) => (b.type === 'toolCall' ? [b.id] : []))),
        );
        const results = kept.filter((one) => one.role === 'toolResult').map((one) => one.toolCallId);
        expect(new Set(results)).toEqual(asked);
      }),
    );
  });
});

describe('summaryContext', () => {
  it('holds messages and calls, and drops the oldest that do not fit', async () => {
    const all = summaryContext(await transcriptWithCalls(2), { inputTokens: 50_000, summaryTokens: 4_096 });
    const text = transcriptText(all.messages[0] ?? userMessage('', 0));
    expect(text).toContain('question 0');
    expect(text).toContain('[calls echo {"text":"y"}]');
    const short = summaryContext([long('first', 3_000), long('second', 900)], {
      inputTokens: 1_200,
      summaryTokens: 200,
    });
    expect(transcriptText(short.messages[0] ?? userMessage('', 0))).not.toContain('first');
  });
});

describe('Transcript', () => {
  it('estimates the tokens of its messages, without notes', () => {
    const transcript = new Transcript([long('a')]);
    expect(transcript.tokens).toBe(1_000);
    transcript.push({ ...(long('x') as object), role: 'note' } as TranscriptMessage);
    expect(transcript.tokens).toBe(1_000);
    transcript.replace([long('b', 10)]);
    expect(transcript.tokens).toBe(10);
    expect(
      estimateTokens({
        role: 'user',
        content: [{ type: 'image', data: '', mimeType: 'image/png' }],
        timestamp: 0,
      }),
    ).toBe(1_200);
  });
});

describe('Output token limit', () => {
  const context = { system: 'x'.repeat(4_000), messages: [long('one', 5_000)], tools: [] };
  it.each([
    ['what is wanted, where nothing is known', null, null, 8_192],
    ['what the model can give', null, 4_096, 4_096],
    ['what the window leaves', 8_000, null, 1_999],
    ['a few, where the window is full', 5_000, null, 256],
  ])('is %s', (_what, contextWindow, maxOutputTokens, expected) => {
    expect(outputLimit(context, 8_192, { contextWindow, maxOutputTokens })).toBe(expected);
  });
});

describe('Conversation larger than the context window', () => {
  const model = { ...scriptedModel, contextWindow: 8_000 };

  it('is summarized by one request before the next reply, which continues from the summary', async () => {
    const reports: CompactionReport[] = [];
    const journal = createRecordingJournal();
    const messages = [long('one', 3_000), long('two', 3_000), long('three', 2_000)];
    const rig = createAgentRig([says('What was before.'), says('done')], {
      model,
      messages,
      journal,
      compaction: {},
      onCompaction: (report) => reports.push(report),
    });
    await rig.agent.prompt('go');
    expect(rig.model.requests).toHaveLength(2);
    expect(rig.model.requests[0]?.context.tools).toEqual([]);
    const asked = rig.model.requests[1]?.context.messages.map((one) => transcriptText(one).slice(0, 20));
    expect(asked).toEqual([summaryHeading.slice(0, 20), 'three'.padEnd(20, '.'), 'go']);
    expect(reports.map((report) => report.type)).toEqual(['started', 'done']);
    expect(journal.entries[1]).toMatch(
      /^compacted user:Summary of the conversation so far:\n\nWhat was before. 2$/,
    );
    expect(rig.told().filter((each) => each === 'message_start assistant')).toHaveLength(1);
  });

  it.each([1_000, 2_000, 4_000, 8_000, 32_000, 200_000])(
    'keeps its last summary in a window of %i, and never sends more than fits',
    async (contextWindow) => {
      const earlier = userMessage(`${summaryHeading}\n\nThe code word is heron.`, 1);
      const part = Math.ceil(contextWindow / 5);
      const messages = [earlier, ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => long(name, part))];
      const rig = createAgentRig([says('The code word is heron.'), says('done')], {
        model: { ...scriptedModel, contextWindow },
        messages,
        compaction: {},
      });
      await rig.agent.prompt('go');
      expect(rig.texts().at(-1)).toBe('assistant:done');
      for (const { context } of rig.model.requests) {
        expect(context.messages.map(transcriptText).join('\n')).toContain('heron');
        expect(estimateContext(context)).toBeLessThan(contextWindow);
      }
    },
  );

  it('drops the oldest messages with a note if the summary fails, and keeps the last summary', async () => {
    const earlier = userMessage(`${summaryHeading}\n\nThe code word is heron.`, 1);
    const reports: string[] = [];
    const rig = createAgentRig([fails('no'), says('done')], {
      model,
      messages: [earlier, long('one', 4_000), long('two', 4_000)],
      compaction: {},
      onCompaction: ({ type }) => reports.push(type),
    });
    await rig.agent.prompt('go');
    expect(reports).toEqual(['started', 'failed', 'dropped']);
    const sent = rig.model.requests[1]?.context.messages.map(transcriptText) ?? [];
    expect(sent[0]).toMatch(/heron[\s\S]*messages? (is|are) left out here/);
    expect(sent.at(-1)).toBe('go');
  });

  it('stays unchanged if the server is unreachable, and sends only what fits', async () => {
    const away = fails('away', { retryable: true });
    const messages = [long('one', 4_000), long('two', 4_000)];
    const rig = createAgentRig([away, says('done')], { model, messages, compaction: {} });
    await rig.agent.prompt('go');
    expect(rig.agent.state.messages).toHaveLength(4);
    const sent = rig.model.requests[1]?.context;
    expect(sent?.messages.map(transcriptText)[0]).toMatch(/^\[\d messages? (is|are) left out here/);
    expect(sent && estimateContext(sent)).toBeLessThan(8_000);
  });

  it('is compacted and retried once if the reply shows that input was dropped', async () => {
    const over = { ...says('of half of it'), input: 8_001 };
    const small = { model, messages: [long('one', 1_000), long('two', 1_000)], compaction: {} };
    const rig = createAgentRig([over, says('Before.'), says('of all of it')], small);
    await rig.agent.prompt('go');
    expect(rig.texts().slice(-1)).toEqual(['assistant:of all of it']);
    expect(rig.told().filter((each) => each === 'message_end assistant')).toHaveLength(1);
    const twice = createAgentRig([over, says('Before.'), over], small);
    await twice.agent.prompt('go');
    expect(twice.texts().slice(-1)).toEqual(['assistant:of half of it']);
  });

  it('is compacted and retried once if the provider reports an overflow', async () => {
    const overflow = fails('prompt is too long', { overflow: true });
    const rig = createAgentRig([overflow, says('Before.'), says('done')], {
      messages: [long('one'), long('two')],
      compaction: {},
    });
    await rig.agent.prompt('go');
    expect(rig.texts().slice(-1)).toEqual(['assistant:done']);
    expect(rig.agent.state.errorMessage).toBeNull();
    const stubborn = createAgentRig([overflow, says('Before.'), overflow, overflow, says('never')], {
      messages: [long('one'), long('two')],
      compaction: {},
    });
    await stubborn.agent.prompt('go');
    expect(stubborn.agent.state.errorMessage).toBe('prompt is too long');
  });
});
