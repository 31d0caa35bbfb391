import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import { answerTo, newDemoHome, type newHome, startHost, type TestHost, until } from './host-rig.ts';

let place: ReturnType<typeof newHome>;
let kennel: TestHost;
let guide: string;

/** A person's home folder with Claude Code, logged in; only a login shell finds the program. */
function installClaude(userHome: string): void {
  const bin = path.join(userHome, 'bin');
  mkdirSync(bin, { recursive: true });
  mkdirSync(path.join(userHome, '.claude'));
  writeFileSync(path.join(userHome, '.claude/.credentials.json'), '{"token":"sk-secret"}');
  copyFileSync(path.join(import.meta.dirname, '../fakes/fake-claude.ts'), path.join(bin, 'fake-claude.ts'));
  // Beside the program, because a sandbox shows that folder only.
  try {
    linkSync(process.execPath, path.join(bin, 'fake-node'));
  } catch {
    copyFileSync(process.execPath, path.join(bin, 'fake-node'));
  }
  const program = path.join(bin, 'claude');
  writeFileSync(program, `#!/bin/sh\nexec "${bin}/fake-node" "${bin}/fake-claude.ts" "$@"\n`);
  chmodSync(program, 0o755);
  writeFileSync(path.join(userHome, '.profile'), `PATH="${bin}:$PATH"\nexport PATH\n`);
}

const start = (): Promise<TestHost> => {
  const userHome = path.join(place.home, 'person');
  return startHost(place.home, { env: { HOME: userHome, SHELL: '/bin/sh', PATH: process.env.PATH } });
};

beforeEach(async () => {
  place = await newDemoHome();
  installClaude(path.join(place.home, 'person'));
  kennel = await start();
  await kennel.call('setup.tryDemo', {});
  guide = `dm:${(await kennel.call('agents.get', { agent: 'guide' })).slug}`;
});
afterEach(async () => {
  await kennel.stop();
  place.remove();
});

const useClaude = () =>
  kennel.call('agents.setRuntime', { agent: 'guide', kind: 'cli-local', provider: '', model: '' });
const say = (text: string) => kennel.call('chat.send', { to: 'guide', text });
const workspace = (name: string): string => path.join(place.home, 'agents', 'guide', 'workspace', name);

/** The next question about this; a question about the program's rights comes first where nothing holds it. */
const question = (subject: string): Promise<Approval> =>
  until(`a question about ${subject}`, async () => {
    const { approvals } = await kennel.call('approvals.list', {});
    const trust = approvals.find((one) => one.subject === 'start_program');
    if (trust) await decide(trust, true);
    return approvals.find((one) => one.subject === subject);
  });
const decide = ({ id, digest }: Approval, isAllowed: boolean) =>
  kennel.call('approvals.decide', {
    id,
    digest,
    answer: isAllowed ? { type: 'allow', scope: 'once' } : { type: 'deny', reason: 'not today' },
    surface: 'terminal',
  });

/** Where nothing holds the program, each agent is asked once. */
async function allowTrust(): Promise<true> {
  const { approvals } = await kennel.call('approvals.list', {});
  for (const one of approvals) if (one.subject === 'start_program') await decide(one, true);
  return true;
}

describe('Agent with Claude Code', () => {
  it('is found on the PATH of the login shell, without its login in the answer', async () => {
    const { harnesses } = await kennel.call('harnesses.list', {});
    const found = harnesses.find(({ id }) => id === 'claude-code');
    expect(found).toMatchObject({ version: '2.1.330', login: 'yes', isRunnable: true });
    expect(JSON.stringify(harnesses)).not.toContain('sk-secret');
  });

  it('asks in the one inbox, does what was allowed, and answers in the chat', async () => {
    await useClaude();
    const write = `call Write {"file_path":"${workspace('a.txt')}","content":"one"}`;
    const { messageId } = await say(`${write}\nsay Written.`);
    const approval = await question('write_file');
    expect(approval.preview?.body).toContain('+one');
    expect(existsSync(workspace('a.txt'))).toBe(false);
    await decide(approval, true);
    expect((await answerTo(kennel, guide, messageId))?.text).toBe('Written.');
    expect(readFileSync(workspace('a.txt'), 'utf8')).toBe('one');
  });

  it('keeps the session and the trust over a restart of the host', async () => {
    await useClaude();
    const { messageId } = await say('call Bash {"command":"ls"}\nsay One.');
    await decide(await question('shell'), false);
    expect((await answerTo(kennel, guide, messageId))?.text).toBe('One.');
    await kennel.stop();
    kennel = await start();
    const second = await kennel.call('chat.send', { to: 'guide', text: 'say Two.', threadRootId: messageId });
    const two = await until('the second answer', async () => {
      const { messages } = await kennel.call('chat.history', { room: guide, limit: 200 });
      return messages.find(({ text, own }) => !own && text === 'Two.');
    });
    expect(two.threadRootId).toBe(messageId);
    expect(second.messageId).not.toBe(messageId);
    expect((await kennel.call('approvals.list', {})).approvals).toEqual([]);
  });

  it('F11: parks all agents of its login until the plan begins anew, also over a restart of the host', async () => {
    await useClaude();
    await kennel.call('agents.setRuntime', { agent: 'checker', kind: 'cli-local', provider: '', model: '' });
    const checker = `dm:${(await kennel.call('agents.get', { agent: 'checker' })).slug}`;
    const seconds = Math.ceil(Date.now() / 1000) + 20;
    const first = await say(`once limit ${seconds}\nsay One.`);
    const waits = async () =>
      (await kennel.call('host.view', {})).problems.find(({ id }) => /^plan-/.test(id));
    const problem = await until('the pause', async () => (await waits()) ?? ((await allowTrust()) && false));
    expect(problem).toMatchObject({
      severity: 'warning',
      hint: expect.stringMatching(/Guide.*Checker|Checker.*Guide/),
    });
    const other = await kennel.call('chat.send', { to: 'checker', text: 'say Two.' });
    await kennel.stop();
    kennel = await start();
    expect((await waits())?.message).toBe(problem.message);
    expect((await kennel.call('harnesses.processes', {})).processes).toEqual([]);
    const answered = async (room: string, { messageId }: { readonly messageId: string }) => {
      await allowTrust();
      const { messages } = await kennel.call('chat.history', { room, limit: 200 });
      const answers = messages.filter(({ own, threadRootId }) => !own && threadRootId === messageId);
      return answers.length > 0 && answers.map(({ text }) => text);
    };
    expect(await until('the first answer', () => answered(guide, first))).toEqual(['One.']);
    expect(Date.now()).toBeGreaterThanOrEqual(seconds * 1000);
    expect(await until('the second answer', () => answered(checker, other))).toEqual(['Two.']);
    await until('the end of the pause', async () => (await waits()) === undefined);
  });

  it('F11: says in the chat and in the state of the agent until when a plan is used up', async () => {
    await useClaude();
    const { messageId } = await say(`limit ${Math.ceil(Date.now() / 1000) + 7_200}\nsay Never.`);
    const notice = await until('the notice', async () => {
      await allowTrust();
      const { messages } = await kennel.call('chat.history', { room: guide, limit: 200 });
      return messages.find(({ own, threadRootId }) => !own && threadRootId === messageId);
    });
    expect(notice.text).toMatch(/^My model accepts no requests until \d{4}-\d\d-\d\d \d\d:\d\d UTC\./);
    const { agents } = await kennel.call('agents.list', {});
    expect(JSON.stringify(agents.find(({ id }) => id === 'guide')?.activity)).toMatch(/Parked until .* UTC/);
  });

  it.runIf(existsSync('/usr/bin/bwrap'))('T14: does not start while a file has a name outside', async () => {
    await useClaude();
    writeFileSync(path.join(place.home, 'secret'), 'TOP-SECRET');
    linkSync(path.join(place.home, 'secret'), workspace('copy'));
    await say('say One.');
    const failed = await until('the refusal', async () => {
      const { agents } = await kennel.call('agents.list', {});
      return agents.find(({ id, dot }) => id === 'guide' && dot === 'error')?.error;
    });
    expect(failed?.message).toContain('copy');
    rmSync(workspace('copy'));
    const { messageId } = await say('say Two.');
    expect((await answerTo(kennel, guide, messageId))?.text).toBe('Two.');
  });

  it('lends its session to a terminal: turns wait, and messages are answered after the terminal ends', async () => {
    await useClaude();
    const one = await say('call Bash {"command":"ls"}\nsay One.');
    await decide(await question('shell'), false);
    expect((await answerTo(kennel, guide, one.messageId))?.text).toBe('One.');
    const terminal = spawn('/bin/sh', ['-c', 'sleep 600'], { stdio: 'ignore' });
    try {
      const pid = terminal.pid ?? 0;
      const attached = await kennel.call('agents.attach', { agent: 'guide', pid });
      if (attached.state !== 'ready') throw new Error('No turn is open.');
      // The same session, in the wall of the agent, without the protocol that Kennel speaks.
      expect(attached.argv.slice(-2)).toEqual(['--resume', expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      expect(attached.argv).not.toContain('--input-format=stream-json');
      const [program = '', ...args] = attached.argv;
      const ran = spawnSync(program, args, {
        env: attached.env,
        cwd: attached.cwd,
        input: '',
        timeout: 20_000,
      });
      expect(ran.status).toBe(0);
      const other = kennel.call('agents.attach', { agent: 'guide', pid: process.pid });
      await expect(other).rejects.toThrow(/terminal/);
      const two = await say('say Two.');
      await until('a turn that waits', async () =>
        JSON.stringify(await kennel.call('agents.get', { agent: 'guide' })).includes('steps.inTerminal'),
      );
      const now = await kennel.call('harnesses.ofAgent', { agent: 'guide' });
      expect(now).toMatchObject({ canAttach: true, terminalSince: expect.any(Number) });
      expect(now.harness?.id).toBe('claude-code');
      expect(now.context?.used).toBe(10);
      // A closed window sends no message; the end of its process releases the session.
      terminal.kill('SIGKILL');
      expect((await answerTo(kennel, guide, two.messageId))?.text).toBe('Two.');
      const after = await kennel.call('harnesses.ofAgent', { agent: 'guide' });
      expect(after.terminalSince).toBeNull();
    } finally {
      terminal.kill('SIGKILL');
    }
  });

  it('has no session for a terminal before its first turn', async () => {
    await useClaude();
    const attached = kennel.call('agents.attach', { agent: 'guide', pid: process.pid });
    await expect(attached).rejects.toThrow(/no session/);
    const checker = kennel.call('agents.attach', { agent: 'checker', pid: process.pid });
    await expect(checker).rejects.toThrow(/no program/);
  });
});
