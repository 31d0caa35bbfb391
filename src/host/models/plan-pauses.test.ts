import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createSeededRandom } from '../../../test/fakes/seeded-random.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { textError } from '../../contract/errors.ts';
import { createProviderGate, loginAccount, serverOf } from '../../core/models/provider-gate.ts';
import { createDisk } from '../../services/disk/disk.ts';
import { createProblems } from '../problems.ts';
import { createPlanPauses } from './plan-pauses.ts';

const anthropic = { provider: 'anthropic', baseUrl: 'https://api.anthropic.com', auth: 'api_key' } as const;
const account = serverOf({ ...anthropic, apiKey: 'sk-secret-1' });
const refused = textError('rate_limited', 'slow down');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kennel-pauses-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A host with the pauses of the folder; a second one is the host after a restart. */
function host(clock = createVirtualClock()) {
  const random = createSeededRandom(1);
  const problems = createProblems(clock, () => undefined);
  const pauses = createPlanPauses({
    clock,
    disk: createDisk(random),
    path: join(folder, 'pauses.json'),
    log: createRecordingLog(),
    problems,
    usersOf: (isAccount) => (isAccount(account) ? ['Ada', 'Bob'] : []),
  });
  pauses.begin();
  return { clock, problems, gate: createProviderGate({ clock, random, pauses }) };
}

describe('Pauses of plans', () => {
  it('F11: hold all agents of a key over a restart, say until when, and end by themselves', async () => {
    const first = host();
    first.gate.failed(account, 3 * 3_600_000, refused);
    expect(first.problems.list()).toMatchObject([
      { severity: 'warning', hint: expect.stringContaining('Ada, Bob') },
    ]);
    const { clock, gate, problems } = host(first.clock);
    expect(gate.pausedUntil(account)).toBe(clock.now() + 3 * 3_600_000);
    expect(gate.enter(account)).toBe(3 * 3_600_000);
    expect(problems.list()[0]?.message).toMatch(/^Anthropic accepts no requests until \d{4}-.* UTC\.$/);
    await clock.advance(3 * 3_600_000);
    expect([gate.pausedUntil(account), gate.enter(account), problems.list()]).toEqual([null, 0, []]);
  });

  it('F11: hold neither another key nor another login', () => {
    const { gate } = host();
    gate.failed(account, 3_600_000, refused);
    gate.pause(loginAccount('claude-code'), Date.now() + 10_000_000);
    expect(gate.enter(serverOf({ ...anthropic, apiKey: 'sk-secret-2' }))).toBe(0);
    expect(gate.pausedUntil(loginAccount('codex'))).toBeNull();
    expect(serverOf({ ...anthropic, auth: 'oauth', apiKey: 'a' })).toBe(
      serverOf({ ...anthropic, auth: 'oauth', apiKey: 'renewed' }),
    );
  });

  it('T18: are stored without the key', () => {
    host().gate.failed(account, 3_600_000, refused);
    expect(readFileSync(join(folder, 'pauses.json'), 'utf8')).not.toContain('sk-secret');
  });

  it('F11: are not stored if they are short', () => {
    const { clock, gate } = host();
    gate.failed(account, 30_000, refused);
    expect(gate.enter(account)).toBe(30_000);
    expect(host(clock).gate.enter(account)).toBe(0);
  });
});
