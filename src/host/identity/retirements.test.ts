import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock, settle, type VirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import { agentConfigSchema } from '../../core/agents/agent-config.ts';
import type { DiskPort } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createSystemRandom } from '../../services/clock/system-random.ts';
import { createDisk } from '../../services/disk/disk.ts';
import { createProblems } from '../problems.ts';
import { createPendingRetirements, type PendingRetirements } from './pending-retirements.ts';
import { Retirements } from './retirements.ts';
import { retryLoops } from './retry-loop.ts';
import type { ServerRetirement } from './server-retirement.ts';

const slug = 'guide-0001';
const online = { connection: () => ({ state: 'online' as const, detail: null }) };

let folder: string;
let calls: string[];
/** The server's next answer to the operator's revocation. */
let revoked: Awaited<ReturnType<ServerRetirement['revoke']>>;
/** Result of the agent's own calls to its server. */
let left: Awaited<ReturnType<ServerRetirement['leave']>>;
/** The agents whose files are there. */
let present: LoadedAgent[];
let isDiskFull: boolean;
let hasCertificate: boolean;
let clock: VirtualClock;

const server: ServerRetirement = {
  sealKeys: async (identity) => `sealed ${identity.slug}`,
  leave: async ({ sealedKeys }) => {
    if (sealedKeys === null) return 'left';
    calls.push(`leave with ${sealedKeys}`);
    return left;
  },
  revoke: async (pending) => {
    calls.push(`revoke ${pending.slug}`);
    return revoked;
  },
};

function agent(): LoadedAgent {
  const base = agentConfigSchema().parse({});
  const core = { ...base.puffo_core, slug, server_url: 'http://relay' };
  return { id: 'guide', lastGood: { ...base, puffo_core: core } } as LoadedAgent;
}

/** The list, its owner and the shown problems after a start of the host. */
function start() {
  const log = createRecordingLog();
  const problems = createProblems(clock, () => undefined);
  const disk = createDisk(createSystemRandom());
  const fullDisk: DiskPort = {
    ...disk,
    write: (...file) => (isDiskFull ? err(textError('disk_full', 'The disk is full.')) : disk.write(...file)),
  };
  const pending: PendingRetirements = createPendingRetirements({
    disk: fullDisk,
    path: join(folder, 'retired-agents.json'),
    problems,
    clock,
    log,
  });
  const retirements = new Retirements({
    pending,
    server,
    agents: { get: (id) => present.find((one) => one.id === id) ?? null, list: () => present },
    agentKeys: {
      readPublic: () => (hasCertificate ? { rootPublicKey: 'root', operatorRootPublicKey: null } : null),
      load: async () => ok({ slug } as Identity),
    },
    createRetryLoop: retryLoops({ clock, random: createSystemRandom(), log }),
    clock,
  });
  return { retirements, pending, problems, shown: () => problems.list().map(({ message }) => message) };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kennel-retirements-'));
  clock = createVirtualClock();
  calls = [];
  revoked = 'revoked';
  left = 'left';
  present = [agent()];
  isDiskFull = false;
  hasCertificate = true;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('Retirement of an archived or deleted agent (T7)', () => {
  it('calls the server only after the agent files are gone', async () => {
    const { retirements, pending } = start();
    const retirement = await retirements.begin('guide', online);
    expect(calls).toEqual([]);
    present = [];
    await retirement.finish();
    expect(calls).toEqual([`leave with sealed ${slug}`, `revoke ${slug}`]);
    expect(pending.all()).toEqual([]);
  });

  it('lets an agent without a readable certificate leave by itself', async () => {
    hasCertificate = false;
    const { retirements, pending } = start();
    const retirement = await retirements.begin('guide', online);
    expect(pending.all()).toMatchObject([{ slug, agentRootPublicKey: null }]);
    present = [];
    revoked = 'refused';
    await retirement.finish();
    expect(calls).toContain(`leave with sealed ${slug}`);
    expect(pending.all()).toEqual([]);
  });

  it('is cancelled if the files could not be moved', async () => {
    const { retirements, pending } = start();
    const retirement = await retirements.begin('guide', online);
    retirement.cancel();
    expect(pending.all()).toEqual([]);
    retirements.online();
    await retirement.finish();
    expect(calls).toEqual([]);
  });

  it('continues at the next start if the files are gone', async () => {
    await start().retirements.begin('guide', online);
    present = [];
    const { retirements, pending } = start();
    retirements.online();
    await settle();
    expect(pending.all()).toEqual([]);
    expect(calls).toEqual([`leave with sealed ${slug}`, `revoke ${slug}`]);
  });

  it('is dropped at the next start if the files still exist', async () => {
    await start().retirements.begin('guide', online);
    const { retirements, pending } = start();
    retirements.online();
    await settle();
    expect(pending.all()).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('deletes the sealed keys after leaving, while the operator is still offline', async () => {
    revoked = 'later';
    const { retirements, pending } = start();
    const retirement = await retirements.begin('guide', online);
    present = [];
    await retirement.finish();
    expect(pending.all()).toMatchObject([{ slug, sealedKeys: null }]);
    retirements.stop();
  });

  it('repeats its own calls if the operator cannot revoke it', async () => {
    revoked = 'refused';
    left = 'hand_over_later';
    const { retirements, pending } = start();
    const retirement = await retirements.begin('guide', online);
    present = [];
    await retirement.finish();
    expect(pending.all()).toMatchObject([{ slug, sealedKeys: `sealed ${slug}` }]);
    left = 'left';
    await retirement.finish();
    expect(pending.all()).toEqual([]);
  });

  it('completes even if another agent’s file could not be read before', async () => {
    const broken = { id: 'broken', lastGood: null } as LoadedAgent;
    present = [agent(), broken];
    const { retirements } = start();
    const retirement = await retirements.begin('guide', online);
    present = [broken];
    await retirement.finish();
    expect(calls).toEqual([`leave with sealed ${slug}`, `revoke ${slug}`]);
  });

  it.each(['guide', 'guide-restored'])('spares an agent moved back as %s that cannot be read', async (id) => {
    revoked = 'later';
    const { retirements, pending } = start();
    const retirement = await retirements.begin('guide', online);
    present = [];
    await retirement.finish();
    calls = [];
    revoked = 'revoked';
    present = [{ id, lastGood: null } as LoadedAgent];
    await clock.advance(300_000);
    expect(calls).toEqual([]);
    expect(pending.all()).toHaveLength(1);
    present = [];
    await clock.advance(600_000);
    expect(calls).toEqual([`revoke ${slug}`]);
    retirements.stop();
  });

  it('waits at the next start until every agent can be read', async () => {
    await start().retirements.begin('guide', online);
    present = [{ id: 'guide', lastGood: null } as LoadedAgent];
    const { retirements, pending } = start();
    retirements.online();
    await settle();
    expect(calls).toEqual([]);
    expect(pending.all()).toHaveLength(1);
  });

  it('is retried later if the server could not be reached', async () => {
    revoked = 'later';
    const { retirements, pending } = start();
    const retirement = await retirements.begin('guide', null);
    present = [];
    await retirement.finish();
    revoked = 'revoked';
    await clock.advance(300_000);
    expect(pending.all()).toEqual([]);
    retirements.stop();
  });

  it('only revokes the agent if it was not connected', async () => {
    const { retirements } = start();
    const retirement = await retirements.begin('guide', null);
    present = [];
    await retirement.finish();
    expect(calls).toEqual([`revoke ${slug}`]);
  });

  it('is done from memory while the disk is full (F4)', async () => {
    isDiskFull = true;
    const { retirements, pending, problems, shown } = start();
    const retirement = await retirements.begin('guide', online);
    expect(shown()).toEqual([
      'Kennel could not save which agents must be revoked at their server (guide-0001): The disk is full.',
    ]);
    expect(problems.list()[0]?.said).toMatchObject({ values: { slugs: [slug], why: 'The disk is full.' } });
    present = [];
    await retirement.finish();
    expect(calls).toEqual([`leave with sealed ${slug}`, `revoke ${slug}`]);
    expect([pending.all(), shown()]).toEqual([[], []]);
  });

  it('is saved as soon as the disk has space again (F4)', async () => {
    isDiskFull = true;
    revoked = 'not_here';
    const { retirements, pending, shown } = start();
    const retirement = await retirements.begin('guide', online);
    present = [];
    await retirement.finish();
    expect(pending.all()).toMatchObject([{ slug, sealedKeys: null }]);
    expect([start().pending.all(), shown().length]).toEqual([[], 1]);
    isDiskFull = false;
    await clock.advance(300_000);
    expect(start().pending.all()).toMatchObject([{ slug, sealedKeys: null }]);
    expect([shown(), clock.pending()]).toEqual([[], 0]);
    expect(calls.filter((call) => call.startsWith('leave'))).toHaveLength(1);
  });

  it('hands over its spaces before it is revoked, and repeats that after a failure', async () => {
    left = 'hand_over_later';
    const { retirements, pending } = start();
    const retirement = await retirements.begin('guide', online);
    present = [];
    await retirement.finish();
    expect(calls).toEqual([`leave with sealed ${slug}`]);
    expect(pending.all()).toMatchObject([{ slug, sealedKeys: `sealed ${slug}` }]);
    left = 'left';
    await clock.advance(300_000);
    expect(calls.slice(-2)).toEqual([`leave with sealed ${slug}`, `revoke ${slug}`]);
    expect([pending.all(), clock.pending()]).toEqual([[], 0]);
  });

  it('is revoked at once if only leaving its spaces failed, as by a rate limit', async () => {
    left = 'later';
    const { retirements } = start();
    const retirement = await retirements.begin('guide', online);
    present = [];
    await retirement.finish();
    expect(calls).toEqual([`leave with sealed ${slug}`, `revoke ${slug}`]);
  });

  it('is revoked at once if the clock was set back', async () => {
    left = 'hand_over_later';
    const { retirements, pending } = start();
    const retirement = await retirements.begin('guide', online);
    for (const entry of pending.all()) pending.keep({ ...entry, at: clock.now() + 86_400_000 });
    present = [];
    await retirement.finish();
    expect(calls).toContain(`revoke ${slug}`);
  });

  it('is revoked after a minute even if it could not hand over its spaces', async () => {
    left = 'hand_over_later';
    const { retirements, pending } = start();
    const retirement = await retirements.begin('guide', online);
    present = [];
    await retirement.finish();
    await clock.advance(59_000);
    expect(calls).not.toContain(`revoke ${slug}`);
    await clock.advance(1_000);
    expect(calls.filter((call) => call.startsWith('revoke'))).toEqual([`revoke ${slug}`]);
    expect([pending.all(), clock.pending()]).toEqual([[], 0]);
  });

  it('keeps a damaged list under a dated name and reports it (F19)', async () => {
    const damaged = '[{"slug":"other-0001",';
    writeFileSync(join(folder, 'retired-agents.json'), damaged);
    const { retirements, shown } = start();
    const retirement = await retirements.begin('guide', online);
    const aside = readdirSync(folder).filter((name) => name.includes('.damaged-'));
    expect(aside).toHaveLength(1);
    expect(readFileSync(join(folder, aside[0] ?? ''), 'utf8')).toBe(damaged);
    expect(shown().join()).toMatch(/list of agents .* was damaged\. Kennel kept it as .*\.damaged-/);
    present = [];
    await retirement.finish();
    expect(calls).toContain(`revoke ${slug}`);
  });

  it('never overwrites a list that cannot be read (F4)', async () => {
    const file = join(folder, 'retired-agents.json');
    mkdirSync(file);
    const { retirements, shown } = start();
    const retirement = await retirements.begin('guide', online);
    expect(shown()[0]).toContain('agents must be revoked at their server (guide-0001)');
    present = [];
    await retirement.finish();
    expect(calls).toContain(`revoke ${slug}`);
    expect(statSync(file).isDirectory()).toBe(true);
  });
});
