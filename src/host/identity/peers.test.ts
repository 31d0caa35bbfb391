import { beforeEach, describe, expect, it } from 'vitest';
import { createRecordingLog } from '../../../test/fakes/recording-log.ts';
import { createVirtualClock } from '../../../test/fakes/virtual-clock.ts';
import { ok } from '../../contract/result.ts';
import { toBase64Url } from '../../core/lib/bytes.ts';
import { spokenFingerprint } from '../../core/puffo/enrolment.ts';
import type { LoadedAgent } from '../../services/agent-store/agent-types.ts';
import { createNobleEngine } from '../../services/crypto/noble-engine.ts';
import type { ChangedRoot } from '../../services/puffo/identities.ts';
import { createProblems } from '../problems.ts';
import type { OpenParts, OperatorSession } from './operator.ts';
import { Peers } from './peers.ts';

const crypto = createNobleEngine();
const root = () => crypto.ed25519KeyPair().public;

let changed: ChangedRoot[] = [];
let accepted: ChangedRoot[] = [];
let problems = createProblems(createVirtualClock(), () => undefined);
let peers: Peers;
beforeEach(() => {
  changed = [];
  accepted = [];
  problems = createProblems(createVirtualClock(), () => undefined);
  const identities = {
    changed: () => changed,
    acceptRoot: (change: ChangedRoot) => accepted.push(change) > 0,
  };
  const session = {
    self: { slug: 'ada-0001', account: { lookAgain: () => undefined } },
    identity: { serverUrl: 'http://relay' },
  };
  const parts = {
    crypto,
    servers: { directory: () => ok({ identities }) },
    currentUrl: (url: string) => url,
  };
  const agent = { id: 'guide', lastGood: { puffo_core: { slug: 'guide-0001', server_url: 'http://relay' } } };
  peers = new Peers({
    session: () => session as unknown as OperatorSession,
    openParts: async () => ok(parts as unknown as OpenParts),
    agents: { list: () => [agent as unknown as LoadedAgent] },
    problems,
    acceptKeyChange: () => undefined,
    log: createRecordingLog(),
  });
});

const offer = (slug: string): string => {
  const offered = root();
  changed = [{ slug, pinnedRoot: toBase64Url(root()), offeredRoot: toBase64Url(offered) }];
  return spokenFingerprint(crypto, offered);
};

describe('Changed identity key', () => {
  it('of another person is accepted with the full fingerprint', async () => {
    const fingerprint = offer('bob-0001');
    expect(await peers.accept('bob-0001', fingerprint)).toEqual(ok({ released: 0 }));
    expect(accepted).toHaveLength(1);
  });

  it.each(['ada-0001', 'guide-0001'])('T7: of our own identity %s is never accepted', async (slug) => {
    const fingerprint = offer(slug);
    expect(await peers.accept(slug, fingerprint)).toMatchObject({
      ok: false,
      error: { code: 'untrusted' },
    });
    expect(accepted).toEqual([]);
  });
});

describe('Peer problems from server data (T24)', () => {
  it('are not created for slugs that are unsafe in a command', () => {
    for (const slug of ['bob"; rm -rf ~; "', '$(id)', 'a b', '-rf', 'bob\u202e', '../bob']) {
      peers.asked(slug);
      peers.held(slug, 'msg_1');
    }
    expect(problems.list()).toEqual([]);
  });

  it('are limited to 100, and held messages to 10,000 per peer', async () => {
    for (let n = 0; n < 2_000; n += 1) {
      peers.asked(`stranger-${n}`);
      peers.held(`changed-${n}`, 'msg_1');
    }
    expect(problems.list()).toHaveLength(100);
    for (let n = 0; n < 20_000; n += 1) peers.held('changed-1', `msg_${n}`);
    const fingerprint = offer('changed-1');
    expect(await peers.accept('changed-1', fingerprint)).toEqual(ok({ released: 10_000 }));
  });
});
