import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Approval } from '../../src/contract/consent.ts';
import type { RoomView } from '../../src/contract/model.ts';
import { answerTo, follow, newHome, startHost, type TestHost, until } from './host-rig.ts';

let home: ReturnType<typeof newHome>;
let kennel: TestHost;
let guide: string;

beforeEach(async () => {
  home = newHome();
  kennel = await startHost(home.home);
  await kennel.call('setup.tryDemo', {});
  guide = `dm:${(await kennel.call('agents.get', { agent: 'guide' })).slug}`;
}, 30_000);
afterEach(async () => {
  await kennel.stop();
  home.remove();
});

const workspace = (name: string): string => path.join(home.home, 'agents', 'guide', 'workspace', name);
const say = (text: string) => kennel.call('chat.send', { to: 'guide', text });
const question = (): Promise<Approval> =>
  until('a question', async () => {
    const { approvals } = await kennel.call('approvals.list', {});
    return approvals[0];
  });
const decide = (
  approval: Approval,
  answer: { type: 'allow'; scope: 'once' } | { type: 'deny'; reason: string },
) =>
  kennel.call('approvals.decide', { id: approval.id, digest: approval.digest, answer, surface: 'terminal' });

describe('an agent that asks', () => {
  it('writes the file once it is allowed, and says so', async () => {
    const { messageId } = await say('write hello.md');
    const approval = await question();
    expect(approval).toMatchObject({ agentId: 'guide', subject: 'write_file', risk: 'medium' });
    expect(existsSync(workspace('hello.md'))).toBe(false);
    const { agents } = await kennel.call('agents.list', {});
    expect(agents.find(({ id }) => id === 'guide')).toMatchObject({ dot: 'needs_you', waiting: 1 });
    await decide(approval, { type: 'allow', scope: 'once' });
    const answer = await answerTo(kennel, guide, messageId);
    expect(readFileSync(workspace('hello.md'), 'utf8')).toContain('# hello');
    expect(answer?.text).toContain('hello.md');
    expect(answer?.steps).toMatchObject([{ tool: 'write_file', state: 'done' }]);
  }, 30_000);
});
