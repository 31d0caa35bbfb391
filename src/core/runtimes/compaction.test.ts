import { describe, expect, it } from 'vitest';
import { createMemoryTranscriptStore } from '../../../test/fakes/memory-transcript-store.ts';
import { countingTool, runtimeRig, thread } from '../../../test/fakes/runtime-rig.ts';
import { calls, type ScriptedReply, says } from '../../../test/fakes/scripted-stream.ts';
import { settle } from '../../../test/fakes/virtual-clock.ts';
import { transcriptText } from '../models/messages.ts';
import type { TranscriptStore } from '../models/transcript-store.ts';

const facts = () => ({
  contextWindow: 8_000,
  maxOutputTokens: null,
  answerTokens: null,
  temperature: null,
  vision: null,
  nativeTools: true,
  price: null,
});
const texts = (store: TranscriptStore): readonly string[] =>
  store.load(thread).map(({ message }) => transcriptText(message).slice(0, 60));

const life = (replies: readonly ScriptedReply[], transcripts?: TranscriptStore) =>
  runtimeRig(replies, { deps: { facts }, ...(transcripts ? { transcripts } : {}) });

describe('Thread larger than the context window', () => {
  it('is compacted once, also in the store, and the next run continues from the summary', async () => {
    const first = life([says('what was'), { ...says('one'), totalTokens: 5_000 }]);
    for (const words of ['a', 'b', 'c']) first.say(words.repeat(12_000));
    const end = (await first.run()).at(-1);
    const store = first.transcripts;
    expect(texts(store)[0]).toContain('what was');
    expect(store.load(thread)).toHaveLength(2);
    store.append(thread, end?.type === 'turn_done' ? end.transcript : []);
    const second = life([says('two')], store);
    second.say('and now?');
    expect((await second.run()).at(-1)).toMatchObject({ parts: ['two'] });
    expect(second.asked[0]?.context.messages).toHaveLength(4);
  });

  it('is not compacted again because of usage reported before the summary', async () => {
    const store = life([]).transcripts;
    const old = life([{ ...says('one'), totalTokens: 7_900 }], store);
    old.say('short');
    const end = (await old.run()).at(-1);
    store.append(thread, end?.type === 'turn_done' ? end.transcript : []);
    const summary = { role: 'user', content: [], timestamp: 2e12 } as const;
    const text = 'Summary of the conversation so far:\n\nshort';
    store.compact(thread, 2, { ...summary, content: [{ type: 'text', text }] });
    const next = life([says('two')], store);
    next.say('and now?');
    expect((await next.run()).at(-1)).toMatchObject({ parts: ['two'] });
    expect(next.asked).toHaveLength(1);
  });

  it('discards streamed text of an answer to truncated input', async () => {
    const r = life([{ ...says('half'), input: 8_001 }, says('what was'), says('whole')]);
    for (const words of ['a', 'b']) r.say(words.repeat(4_000));
    const events = await r.run();
    const types = events.map(({ type }) => type).filter((type) => type !== 'model_called');
    expect(types).toEqual(['text_delta', 'text_void', 'text_delta', 'turn_done']);
    expect(events.at(-1)).toMatchObject({ parts: ['whole'] });
  });

  it('remembers that the turn sent a message, although the call was compacted', async () => {
    const long = 'x'.repeat(12_800);
    const send = countingTool('send_message', {
      execute: async () => ({ content: [{ type: 'text', text: long }] }),
    });
    const script = [
      calls(['c1', 'send_message', { path: 'a' }]),
      calls(['c2', 'send_message', { path: 'b' }]),
      says('what was'),
      says('I have said it'),
    ];
    const r = runtimeRig(script, {
      tools: [send],
      deps: { facts },
      sentHere: (ids) => (ids.includes('c1') ? 'msg_sent' : null),
    });
    r.say('tell them');
    const end = (await r.run()).at(-1);
    expect(texts(r.transcripts)[0]).toContain('what was');
    expect(JSON.stringify(r.transcripts.load(thread))).not.toContain('"c1"');
    expect(end).toMatchObject({ type: 'turn_done', messageSent: true, sentAs: 'msg_sent' });
  });

  it.each(['while it is summed up', 'before the summary is kept', 'just after it was'])(
    'F1 killed %s, is compacted once and answered once in the next run',
    async (when) => {
      const store = createMemoryTranscriptStore();
      let dead = false;
      const die = (): never => {
        dead = true;
        first.abort('interrupted');
        throw new Error('killed');
      };
      const mortal: TranscriptStore = {
        ...store,
        append: (...args) => (dead ? undefined : store.append(...args)),
        compact(...args) {
          if (when === 'before the summary is kept') die();
          if (!dead) store.compact(...args);
          if (when === 'just after it was') die();
        },
      };
      const hangs = when === 'while it is summed up' ? { hangAfter: 1 } : {};
      const first = life([{ ...says('what was'), ...hangs }, says('never said')], mortal);
      for (const words of ['a', 'b', 'c']) first.say(words.repeat(12_000));
      const run = first.run().catch(() => []);
      await settle(200);
      first.abort('interrupted');
      expect((await run).some(({ type }) => type === 'turn_done')).toBe(false);
      const kept = when === 'just after it was';
      expect(texts(store).some((text) => text.includes('what was'))).toBe(kept);
      expect(store.load(thread)).toHaveLength(kept ? 2 : 3);
      const second = life(kept ? [says('two')] : [says('what was'), says('two')], store);
      expect((await second.run()).at(-1)).toMatchObject({ type: 'turn_done', parts: ['two'] });
      expect(texts(store).filter((text) => text.includes('what was'))).toHaveLength(1);
      expect(texts(store).at(-1)).toContain('ccc');
    },
  );
});
