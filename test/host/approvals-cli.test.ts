import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import { englishText } from '../../src/language/host-message.ts';
import { runKennel } from './demo-rig.ts';
import { newDemoHome, startHost, type TestHost, until } from './host-rig.ts';

const place = await newDemoHome();
let kennel: TestHost;

beforeAll(async () => {
  kennel = await startHost(place.home);
  await kennel.call('setup.tryDemo', {});
});
afterAll(async () => {
  await kennel.stop();
  place.remove();
});

const run = (...args: string[]) => runKennel(place.home, args);

const file = (name: string): string => path.join(place.home, 'agents', 'guide', 'workspace', name);

/** Sends Guide a message that makes it write a file, and waits for the approval request. */
async function askToWrite(name: string): Promise<Approval> {
  await kennel.call('chat.send', { to: 'guide', text: `write ${name}` });
  return until(`the question about ${name}`, async () => {
    const { approvals } = await kennel.call('approvals.list', {});
    return approvals.find(({ title }) => englishText(title).includes(name));
  });
}

const stateOf = async (id: string) => (await kennel.call('approvals.get', { id })).approval;

/** Returns the message with which the agent posted its approval request to the chat. */
async function questionIn(room: string, name: string): Promise<string> {
  const found = await until('the question in the chat', async () => {
    const { messages } = await kennel.call('chat.history', { room });
    return messages.find(({ own, text }) => !own && text.includes('May I?') && text.includes(name));
  });
  return found.id;
}

describe('Terminal', () => {
  it('lists a question, shows it in full and allows it once; the file is written', async () => {
    const asked = await askToWrite('hello.md');
    expect(existsSync(file('hello.md'))).toBe(false);
    expect((await run('approvals', 'list')).out).toContain(`${asked.id}  `);
    const shown = await run('approvals', 'show', asked.id.slice(0, 12));
    expect(shown.out).toContain('Guide wants to write hello.md');
    expect(shown.out).toContain(`Digest: ${asked.digest}`);
    expect(shown.out).toContain('| +# hello');
    const wrong = await run('approvals', 'allow', asked.id, '--exact', '--pattern');
    expect([wrong.code, existsSync(file('hello.md'))]).toEqual([2, false]);
    const allowed = await run('approvals', 'allow', asked.id);
    expect(allowed).toMatchObject({ code: 0, out: expect.stringContaining(asked.digest) });
    await until('the file', () => existsSync(file('hello.md')));
    const late = await run('approvals', 'deny', asked.id);
    expect(late).toMatchObject({ code: 2, err: expect.stringContaining('allowed already (terminal)') });
  });

  it('denies a question with a reason; the file is not written', async () => {
    const asked = await askToWrite('never.md');
    expect((await run('approvals', 'deny', asked.id, 'not', 'today')).out).toContain('denied');
    expect((await stateOf(asked.id)).decision?.reason).toBe('not today');
    expect(existsSync(file('never.md'))).toBe(false);
  });

  it('lists and revokes a grant', async () => {
    const asked = await askToWrite('third.md');
    expect((await run('approvals', 'allow', asked.id, '--pattern')).code).toBe(0);
    const { grants } = JSON.parse((await run('approvals', 'grants', '--json')).out);
    expect(grants).toMatchObject([{ rule: 'write_file(./*)', agentId: 'guide' }]);
    expect((await run('approvals', 'revoke', grants[0].id)).code).toBe(0);
    expect((await run('approvals', 'grants')).out).toContain('no permissions');
    expect((await run('approvals', 'revoke', grants[0].id)).code).toBe(2);
  });

  it('tests a policy file against recorded calls', async () => {
    const rules = path.join(place.home, 'rules.yml');
    writeFileSync(rules, 'policy:\n  rules:\n    - {action: deny, pattern: "Write(*)"}\n');
    const tested = await run('policy', 'test', rules, '--agent', 'guide');
    expect(tested.out).toMatch(/Of 3 calls: 0 allowed, 0 asked about, 3 denied/);
    writeFileSync(rules, 'a: &x [1]\nb: *x\n');
    expect((await run('policy', 'test', rules)).code).toBe(2);
  });
});

describe('Chat', () => {
  it('allows a question once when the operator replies y in its thread, unseen by the model (T8)', async () => {
    const asked = await askToWrite('chat.md');
    const { roomId } = await kennel.call('chat.send', { to: 'guide', text: 'y' });
    const question = await questionIn(roomId, 'chat.md');
    expect((await stateOf(asked.id)).state).toBe('waiting');
    await kennel.call('chat.send', { to: 'guide', text: 'y', threadRootId: question });
    const decided = await until('the decision', async () => {
      const approval = await stateOf(asked.id);
      return approval.state !== 'waiting' && approval;
    });
    expect(decided).toMatchObject({ state: 'allowed', decision: { surface: 'chat', scope: 'once' } });
    await until('the file', () => existsSync(file('chat.md')));
    const { messages } = await kennel.call('chat.history', { room: roomId, limit: 200 });
    expect(messages.filter(({ own, threadRootId }) => !own && threadRootId === question)).toEqual([]);
  });
});

describe('Audit log', () => {
  it('is shown and verified without a host; verification names a changed line (T28)', async () => {
    await kennel.stop();
    const held = (await run('audit', 'verify')).out;
    expect(held).toContain('The audit log is intact');
    expect(held).toContain('These files alone do not show that the whole log, or its end, was removed.');
    expect((await run('audit', 'show', '--limit', '5')).out).toContain('write_file');
    const log = path.join(place.home, 'audit', 'audit.jsonl');
    const text = readFileSync(log, 'utf8');
    writeFileSync(log, text.replace('allowed', 'denied!'));
    const verdict = await run('audit', 'verify');
    expect(verdict.code).toBe(1);
    expect(verdict.out).toMatch(/is NOT intact[.] Line \d+ was changed/);
  });
});
