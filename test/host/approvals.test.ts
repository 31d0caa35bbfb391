import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { methods } from '../../src/contract/methods.ts';
import { agentConfigSchema } from '../../src/core/agents/agent-config.ts';
import { createScope } from '../../src/core/lib/scope.ts';
import { createAgentPolicies } from '../../src/host/approvals/agent-policies.ts';
import { buildFeatures, type Features } from '../../src/host/build-features.ts';
import { buildHandlers } from '../../src/host/build-handlers.ts';
import type { Handlers } from '../../src/host/dispatch.ts';
import { readAuditFolder, verifyAuditFolder } from '../../src/library/audit.ts';
import { gateCall, neverAborted } from '../fakes/approval-rig.ts';
import { inEnglish } from '../fakes/in-english.ts';
import { newHome, startHost, testPorts, until } from './host-rig.ts';

let place: ReturnType<typeof newHome>;
const env = { KENNEL_PASSPHRASE: 'a long enough passphrase' };

beforeEach(() => {
  place = newHome();
});
afterEach(() => place.remove());

interface Life {
  readonly context: Features;
  readonly handlers: Handlers;
  /** Ends the approvals module as a graceful stop does. */
  end(): Promise<void>;
}

/** The parts of a host with an open vault, without running agents. */
async function live(): Promise<Life> {
  const ports = await testPorts(place.home, { env });
  const context = buildFeatures(ports, createScope(ports), () => 'ready');
  const controls = { page: () => null, stop: () => undefined, resume: async () => undefined };
  const opened = await context.secrets.openForReal();
  if (!opened.ok) throw new Error(opened.error.message);
  const parts = await context.openParts();
  if (!parts.ok) throw new Error(parts.error.message);
  return {
    context,
    handlers: buildHandlers(context, controls),
    async end() {
      context.approvals.closing();
      await context.approvals.close();
      context.closeServers();
      context.topics.stop();
    },
  };
}

const workspace = () => join(place.home, 'agents', 'guide', 'workspace');
const write = (change = {}) => {
  const call = gateCall(change);
  const effects = [{ kind: 'write' as const, path: join(workspace(), 'hello.md') }];
  return { ...call, assessment: { ...call.assessment, effects } };
};

async function makeGuide({ context }: Life): Promise<void> {
  const config = { ...agentConfigSchema().parse({}), display_name: 'Guide' };
  const made = context.agents.create({ id: 'guide', config, profile: 'Guide' });
  if (!made.ok) throw new Error(made.error.message);
}

const entryOf = (detail: string) =>
  ({ kind: 'brake', agentId: 'guide', tool: '', digest: '', outcome: 'stopped', detail }) as const;

const who = { kind: 'owner-cli' } as const;

async function waiting({ handlers }: Life) {
  const page = await handlers['approvals.list']({ state: 'waiting', limit: 10 }, who);
  if (!page.ok) throw new Error(page.error.message);
  return page.value.approvals;
}

describe('Audit log of a host', () => {
  it('T28 reports and records at the start that the log was deleted while the host was stopped', async () => {
    const first = await live();
    await makeGuide(first);
    const call = gateCall();
    const low = { ...call, assessment: { ...call.assessment, risk: 'low', effects: [] } } as const;
    for (let i = 0; i < 3; i += 1) await first.context.approvals.gate().check(low, neverAborted);
    const { lines } = verifyAuditFolder(first.context.layout.audit);
    await first.end();
    rmSync(first.context.layout.audit, { recursive: true });
    expect(verifyAuditFolder(first.context.layout.audit)).toMatchObject({ ok: true, lines: 0 });

    const second = await live();
    const problem = await until('the problem', () =>
      second.context.problems.list().find(({ id }) => id === 'audit-missing'),
    );
    expect(problem).toMatchObject({ severity: 'error' });
    expect(problem.message).toContain(`all ${lines} lines are missing`);
    await second.end();
    const said = readAuditFolder(second.context.layout.audit, { limit: 9 }).lines.at(-1);
    expect(said).toMatchObject({ seq: 1, kind: 'start', outcome: 'incomplete' });
    expect(said?.detail).toContain(`all ${lines} lines are missing`);

    const third = await live();
    await third.context.approvals.note(entryOf('later'));
    expect(third.context.problems.list().map(({ id }) => id)).not.toContain('audit-missing');
    await third.end();
  });
});

describe('Approval questions in a host', () => {
  it('persist across a restart and are answered once, signed and logged; a policy is tested against them', async () => {
    const first = await live();
    await makeGuide(first);
    const stop = new AbortController();
    const lost = first.context.approvals.gate().check(write(), stop.signal);
    const [asked] = await until('the question', async () => {
      const all = await waiting(first);
      return all.length > 0 && all;
    });
    expect(inEnglish(asked)).toMatchObject({
      agentName: 'Guide',
      title: 'wants to write notes/hello.md',
      state: 'waiting',
    });
    expect(first.context.approvals.waitingFor('guide')).toBe(1);
    expect(Object.keys(first.context.approvals.topic.state().waiting)).toEqual([asked?.id]);
    first.context.approvals.closing();
    stop.abort();
    await lost;
    await first.end();

    const second = await live();
    expect((await waiting(second)).map(({ id }) => id)).toEqual([asked?.id]);
    const gate = second.context.approvals.gate();
    const again = gate.check(write({ resumed: true }), neverAborted);
    const answer = { id: asked?.id ?? '', digest: asked?.digest ?? '', surface: 'terminal' } as const;
    const wrong = await second.handlers['approvals.decide'](
      { ...answer, digest: 'other', answer: { type: 'allow', scope: 'once' } },
      who,
    );
    expect(wrong).toMatchObject({ ok: false, error: { code: 'conflict' } });
    const decided = await second.handlers['approvals.decide'](
      { ...answer, answer: { type: 'allow', scope: 'pattern' } },
      who,
    );
    expect(decided).toMatchObject({ ok: true, value: { approval: { state: 'allowed' } } });
    expect(await again).toMatchObject({ type: 'allow', by: 'operator' });
    expect(await gate.check(write({ callId: 'call_2' }), neverAborted)).toMatchObject({ by: 'grant' });
    expect(await second.handlers['grants.list']({}, who)).toMatchObject({
      value: { grants: [{ rule: 'write_file(./*)', uses: 1 }] },
    });

    const rules = [{ action: 'deny' as const, pattern: 'write_file(*)' }];
    expect(await second.handlers['policy.test']({ rules, days: 1 }, who)).toMatchObject({
      value: { calls: 2, denied: 2, changed: [{ was: 'allow' }, { was: 'ask', would: 'deny' }] },
    });
    // These rules replace those of daemon.yml; the agent's own rule and the standing grants still apply.
    const everywhere = [{ action: 'deny' as const, pattern: 'write_file(*)' }];
    expect(
      await second.handlers['policy.test']({ rules: everywhere, all: true, days: 1 }, who),
    ).toMatchObject({
      value: { calls: 2, denied: 2 },
    });
    expect(await second.handlers['policy.test']({ rules: [], all: true, days: 1 }, who)).toMatchObject({
      value: { calls: 2, allowed: 2 },
    });
    expect(await second.handlers['audit.verify']({}, who)).toMatchObject({ value: { ok: true } });
    const signed = await second.handlers['receipts.verify']({ id: asked?.id ?? '' }, who);
    expect(signed).toEqual({ ok: true, value: { ok: true, problem: '' } });
    const found = await second.handlers['approvals.list']({ state: 'decided', limit: 5, text: 'HELLO' }, who);
    expect(found).toMatchObject({ value: { approvals: [{ id: asked?.id }], hasMore: false } });
    const { value } = (await second.handlers['audit.list']({ agent: 'guide', limit: 20 }, who)) as never;
    expect((value as { lines: { kind: string }[] }).lines.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['policy', 'decision', 'grant', 'call']),
    );
    await second.end();
    // Runs without a host.
    expect(verifyAuditFolder(join(place.home, 'audit'))).toMatchObject({ ok: true, problem: '' });
  });

  it("for a change to the agent's own rules can be allowed only once", async () => {
    const life = await live();
    await makeGuide(life);
    const policies = createAgentPolicies({ ...life.context, home: place.home, env });
    const policy = policies.find('guide');
    expect(policy?.ownRoots).toContain(workspace());
    const effects = [{ kind: 'write' as const, path: join(place.home, 'agents', 'guide', 'agent.yml') }];
    const call = gateCall();
    void life.context.approvals
      .gate()
      .check({ ...call, assessment: { ...call.assessment, effects } }, neverAborted);
    const [asked] = await until('the question', async () => {
      const all = await waiting(life);
      return all.length > 0 && all;
    });
    expect(asked?.offers.map(({ scope }) => scope)).toEqual(['once']);
    await life.end();
  });

  it('are erased completely together with the vault', async () => {
    const life = await live();
    await makeGuide(life);
    const stop = new AbortController();
    void life.context.approvals.gate().check(write(), stop.signal);
    await until('the question', () => existsSync(join(place.home, 'host.db')));
    expect((await life.context.approvals.erase()).ok).toBe(true);
    const left = readdirSync(place.home).filter((name) => name.startsWith('host.db') || name === 'audit');
    expect(left).toEqual([]);
    expect(await life.context.approvals.gate().check(write(), neverAborted)).toMatchObject({ type: 'deny' });
    await life.end();
  });

  it('are denied while the vault is locked', async () => {
    const ports = await testPorts(place.home, { env });
    const context = buildFeatures(ports, createScope(ports), () => 'ready');
    expect(await context.approvals.gate().check(write(), neverAborted)).toMatchObject({ type: 'deny' });
    expect(existsSync(join(place.home, 'host.db'))).toBe(false);
    context.topics.stop();
  });
});

describe('Approval methods', () => {
  const rows = [
    'approvals.list',
    'approvals.get',
    'approvals.decide',
    'grants.list',
    'grants.revoke',
    'policy.test',
  ] as const;

  /** Methods that act in the operator's name, or change an agent's permissions. */
  const loosening = [
    ...(['audit.list', 'audit.verify', 'agents.setTools', 'agents.writeConfig', 'config.set'] as const),
    ...([
      'chat.send',
      'memory.write',
      'memory.confirm',
      'brake.continue',
      'chat.answerAgain',
      'usage.setBudget',
      'host.unlock',
    ] as const),
    ...(['auth.login', 'proxy.newToken', 'setup.signUp'] as const),
    ...(['undo.list', 'undo.show', 'undo.apply'] as const),
  ] as const;

  it('are forbidden to agents and paired devices (T8, T22)', async () => {
    const kennel = await startHost(place.home, { env });
    for (const method of [...rows, ...loosening] as const) {
      expect(methods[method].callers).toEqual(['owner-ui', 'owner-cli']);
      for (const kind of ['agent', 'paired-device'] as const) {
        const answer = await kennel.host.call({ kind }, method, {
          id: 'ap_1',
          digest: 'd',
          surface: 'window',
          answer: { type: 'allow', scope: 'once' },
        });
        expect(answer).toMatchObject({ ok: false, error: { code: 'forbidden' } });
      }
    }
    for (const kind of ['agent', 'paired-device'] as const)
      expect(kennel.host.subscribe({ kind }, 'approvals', () => undefined)).toMatchObject({ ok: false });
    await kennel.stop();
  });

  it('create no store and no log in an empty folder', async () => {
    const kennel = await startHost(place.home, { env });
    expect(await kennel.call('approvals.list', {})).toEqual({ approvals: [], hasMore: false });
    expect(await kennel.call('grants.list', {})).toEqual({ grants: [] });
    expect(await kennel.call('audit.verify', {})).toEqual({ ok: true, lines: 0, problem: '' });
    expect(await kennel.tryCall('approvals.get', { id: 'ap_1' })).toMatchObject({
      error: { code: 'not_found' },
    });
    expect(await kennel.call('audit.list', {})).toEqual({ lines: [], hasMore: false });
    await kennel.stop();
    expect(readdirSync(place.home)).not.toContain('host.db');
  });
});
