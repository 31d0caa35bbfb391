import { expect, it } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleMessage } from '../../../test/fakes/message-samples.ts';
import { learnScriptSenders, readScriptSenders } from './script-senders.ts';

it('A sender counts as a script as long as its latest message says so', () => {
  const store = createMemoryAccountStore('you-3f9a');
  const said = (senderSlug: string, scripted: boolean) =>
    sampleMessage({ senderSlug, ...(scripted ? { scripted: true } : {}) });
  expect(readScriptSenders(store)).toEqual([]);
  learnScriptSenders(store, [said('scout-1', true), said('ada-2', false), said('bot-3', true)]);
  expect(readScriptSenders(store)).toEqual(['scout-1', 'bot-3']);
  learnScriptSenders(store, [said('scout-1', false)]);
  expect(readScriptSenders(store)).toEqual(['bot-3']);
});
