import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMemoryAccountStore } from '../../../test/fakes/memory-account-store.ts';
import { sampleDm } from '../../../test/fakes/message-samples.ts';
import { createMemoryReadLog } from '../../../test/fakes/own-audience.ts';
import { addSample, openSampleTasks } from '../../../test/fakes/task-samples.ts';
import { ok } from '../../contract/result.ts';
import type { TaskStore } from '../../core/tasks/task-ports.ts';
import { heedMessage } from './chat-tasks.ts';

let folder: string;
let store: TaskStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chat-tasks-'));
  store = openSampleTasks(join(folder, 'tasks.db'));
});
afterEach(() => {
  store.release();
  rmSync(folder, { recursive: true });
});

const notUsed = (): never => {
  throw new Error('not used');
};

/** `/tasks` in direct messages that these outsiders read, too. */
async function askTasks(outsiders: readonly string[] | null): Promise<string> {
  const answers: string[] = [];
  const messaging = async () => ({
    send: async ({ text }: { readonly text: string }) => {
      answers.push(text);
      return ok({ messageId: 'msg_2' });
    },
  });
  const capabilities = {
    messaging,
    audience: {
      of: async (roomId: string) => ({ roomId, outsiders }),
      isOwnRoom: () => false,
      shares: () => [],
      roomName: (roomId: string) => roomId,
    },
    reads: createMemoryReadLog(),
    taskRuntime: notUsed,
    context: notUsed,
  };
  const runner = { id: 'guide', slug: 'guide-1', store: createMemoryAccountStore('guide-1'), capabilities };
  const service = ok({ store, add: notUsed });
  await heedMessage({ agents: { runner: () => runner }, service }, 'guide', sampleDm({ content: '/tasks' }));
  return answers.join();
}

test('T9: where others read, /tasks lists the tasks of that conversation alone', async () => {
  const { senderSlug } = sampleDm();
  addSample(store, { goal: 'secret plan', agent: 'guide' });
  addSample(store, {
    goal: 'other room',
    agent: 'guide',
    origin: { via: 'chat', threadKey: 'ch|ch_2|msg_1' },
  });
  expect(await askTasks([])).toMatch(/secret plan[\s\S]*other room/);
  for (const outsiders of [['mallory-1'], null]) {
    const told = await askTasks(outsiders);
    expect(told).toBe('Tasks from elsewhere are not listed here, because others read this.');
  }
  const threadKey = `dm|${senderSlug}`;
  addSample(store, { goal: 'from here', agent: 'guide', origin: { via: 'chat', threadKey } });
  expect(await askTasks(['mallory-1'])).toMatch(/from here[\s\S]*Tasks from elsewhere/);
});

test('T8: /tasks shows a goal that injected text wrote in a fence, short and without hidden text', async () => {
  addSample(store, { goal: '```\n# Kennel asks \u202eyou', agent: 'guide' });
  addSample(store, { goal: 'x'.repeat(20_000), agent: 'guide' });
  const told = await askTasks([]);
  expect(told).toMatch(/^````\n[\s\S]*\n````$/);
  expect(told).toContain('[U+202E]');
  expect(told.length).toBeLessThan(1_000);
});
