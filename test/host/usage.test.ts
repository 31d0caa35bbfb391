import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostView } from '../../src/contract/model.ts';
import { englishText } from '../../src/language/host-message.ts';
import { kennelEntry } from '../fakes/kennel-entry.ts';
import { answerTo, follow, newHome, startHost, type TestHost, until } from './host-rig.ts';

let folder: ReturnType<typeof newHome>;
let host: TestHost | null = null;

beforeEach(() => {
  folder = newHome();
});
afterEach(async () => {
  await host?.stop();
  host = null;
  folder.remove();
});

function kennel(...args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const { PATH = '' } = process.env;
  const env = { PATH, HOME: folder.home, KENNEL_HOME: folder.home };
  const child = spawn(process.execPath, [kennelEntry, ...args], { env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (piece) => (out += String(piece)));
  child.stderr.on('data', (piece) => (err += String(piece)));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

async function say(text: string) {
  if (!host) throw new Error('no host');
  const { messageId, roomId } = await host.call('chat.send', { to: 'guide', text });
  return answerTo(host, roomId, messageId);
}

const theQuestion = () =>
  until('the question', async () => {
    const { approvals } = (await host?.call('approvals.list', { state: 'waiting', limit: 10 })) ?? {};
    return approvals?.find(({ kind }) => kind === 'spending');
  });

const none = { tokensPerDay: null, tokensPerMonth: null, usdPerDay: null, usdPerMonth: null };

describe('Usage of agents', () => {
  it('is counted at simulated prices in the demo, shown everywhere, and kept over a restart', async () => {
    host = await startHost(folder.home);
    expect(existsSync(path.join(folder.home, 'usage.db'))).toBe(false);
    expect(await host.call('usage.get', { days: 2 })).toMatchObject({
      today: { tokens: 0, usd: 0 },
      byModel: [],
    });
    await host.call('setup.tryDemo', {});
    await say('echo one two three');
    const view = await until('usage', async () => {
      const found = await host?.call('usage.get', { agent: 'guide', days: 2 });
      return found && found.today.tokens > 0 && found;
    });
    expect(view).toMatchObject({
      today: { simulated: true },
      byModel: [{ provider: 'scripted', spend: { simulated: true } }],
      budget: none,
      used: [],
    });
    expect(view.days).toHaveLength(2);
    expect(view.byThread.length).toBeGreaterThan(0);
    const { agents } = await host.call('agents.list', {});
    expect(agents.find(({ id }) => id === 'guide')?.spentToday).toEqual(view.today);
    const page = follow<HostView>(host.host, 'host');
    expect(page.state().spentToday).toMatchObject({ simulated: true });
    page.stop();
    const shown = await kennel('usage', 'guide', '--days', '3');
    expect(shown.out).toMatch(/^Today {3}[\d,]+ tokens, \$[\d.]+ \(simulated prices\)/);
    const limited = await kennel('budget', 'guide', '--usd-per-day', '0.001');
    expect(limited.out).toMatch(/^Used +\d{2,} % of dollars per day, simulated$/m);
    const tokens = view.today.tokens;
    await host.stop();
    host = await startHost(folder.home);
    const after = await host.call('usage.get', { agent: 'guide', days: 1 });
    expect(after.today.tokens).toBeGreaterThanOrEqual(tokens);
    const bytes = readFileSync(path.join(folder.home, 'usage.db'));
    expect(bytes.includes('scripted')).toBe(false);
  });

  it('asks once at the budget; after a denial the agent stops until the budget is raised', async () => {
    host = await startHost(folder.home);
    await host.call('setup.tryDemo', {});
    await say('echo hello');
    const set = await kennel('budget', 'guide', '--tokens-per-day', '1', '--json');
    expect(JSON.parse(set.out)).toMatchObject({ budget: { ...none, tokensPerDay: 1 } });
    const file = path.join(folder.home, 'agents/guide/agent.yml');
    expect(readFileSync(file, 'utf8')).toMatch(/budget:\n {2}tokens_per_day: 1\n/);
    const { problems } = await host.call('host.view', {});
    expect(problems.map(({ message }) => message).join()).toMatch(/The budget of Guide is used up: \d/);
    const { messageId, roomId } = await host.call('chat.send', { to: 'guide', text: 'echo again' });
    const asked = await theQuestion();
    const shown = await kennel('approvals', 'show', asked.id);
    expect(shown.out).toMatch(/^Guide has used its budget of 1 token for today\. Let it spend another 1 tok/);
    expect(shown.out).toContain(`kennel approvals allow ${asked.id}   another 1 token today`);
    expect((await kennel('approvals', 'deny', asked.id, 'not today')).code).toBe(0);
    const error = await until('the refusal', async () => {
      const { agents } = (await host?.call('agents.list', {})) ?? { agents: [] };
      return agents.find(({ id }) => id === 'guide')?.error ?? undefined;
    });
    expect(error).toMatchObject({
      code: 'rate_limited',
      hint: expect.stringContaining('kennel budget guide'),
    });
    const { messages } = await host.call('chat.history', { room: roomId, limit: 50 });
    expect(messages.some(({ threadRootId, text }) => threadRootId === messageId && text === 'again')).toBe(
      false,
    );
    expect((await host.call('approvals.list', { state: 'waiting', limit: 10 })).approvals).toEqual([]);
    await kennel('budget', 'guide', '--tokens-per-day', 'none');
    expect(readFileSync(file, 'utf8')).not.toContain('tokens_per_day');
    expect((await host.call('host.view', {})).problems.map(({ id }) => id)).not.toContain(
      'budget-guide-tokensPerDay',
    );
    expect(await say('echo once more')).toMatchObject({ text: 'once more' });
  });

  it('F25 keeps the question over a restart; approval continues the turn, with a receipt, and persists', async () => {
    host = await startHost(folder.home);
    await host.call('setup.tryDemo', {});
    await say('echo hello');
    const used = (await host.call('usage.get', { agent: 'guide', days: 1 })).today.tokens;
    await kennel('budget', 'guide', '--tokens-per-day', String(used));
    const { messageId, roomId } = await host.call('chat.send', { to: 'guide', text: 'echo again' });
    const asked = await theQuestion();
    await host.stop();
    host = await startHost(folder.home);
    const { id, digest } = await theQuestion();
    expect(id).toBe(asked.id);
    await until('the turn to wait again', async () => {
      const { agents } = (await host?.call('agents.list', {})) ?? { agents: [] };
      return /^waiting for you: a larger budget/.test(
        englishText(agents.find((one) => one.id === 'guide')?.activity ?? ''),
      );
    });
    const answer = { type: 'allow', scope: 'once' } as const;
    const decided = await host.call('approvals.decide', { id, digest, answer, surface: 'window' });
    expect(decided.receipt).toMatchObject({ tool: 'spend_more', answer: 'allow' });
    expect(await answerTo(host, roomId, messageId)).toMatchObject({ text: 'again' });
    const { lines } = await host.call('audit.list', { limit: 50 });
    expect(
      lines.filter(({ tool }) => tool === 'spend_more').map(({ kind, outcome }) => [kind, outcome]),
    ).toEqual([
      ['call', 'allow'],
      ['decision', 'allowed'],
    ]);
    await host.stop();
    host = await startHost(folder.home);
    expect(
      (await host.call('host.view', {})).problems.filter(({ severity }) => severity === 'error'),
    ).toEqual([]);
    const { approvals } = await host.call('approvals.list', { state: 'all', limit: 10 });
    expect(approvals.map((one) => one.kind)).toEqual(['spending']);
  });

  it('stores the budget of all agents in daemon.yml and rejects invalid values', async () => {
    host = await startHost(folder.home);
    const set = await kennel('budget', '--usd-per-month', '2.5');
    expect(set.out).toBe('Budget  $2.50 per month\nUsed    0 % of dollars per month\n');
    expect(readFileSync(path.join(folder.home, 'daemon.yml'), 'utf8')).toMatch(
      /budget:\n {2}usd_per_month: 2.5/,
    );
    expect(await kennel('budget', '--usd-per-day', 'much')).toMatchObject({ code: 2 });
    expect(await host.call('usage.get', { agent: 'proxy:laptop' })).toMatchObject({ today: { tokens: 0 } });
    expect(await kennel('usage', 'nobody')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no agent/),
    });
    expect(await kennel('usage', '--days', '0')).toMatchObject({ code: 2 });
  });
});
