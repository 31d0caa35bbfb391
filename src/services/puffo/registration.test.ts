import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RelayWorld } from '../../../test/fakes/relay-world.ts';
import { textError } from '../../contract/errors.ts';
import { err, ok } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import { createSystemClock } from '../clock/system-clock.ts';
import { signUp } from './registration.ts';
import { type DraftJournal, draftText, readEnrolmentDraft } from './registration-draft.ts';

/** The text on disk. `dieAfterNaming` ends the program once the slug is saved. */
function disk(options: { readonly dieAfterNaming?: boolean } = {}) {
  const state = { text: null as string | null, dies: options.dieAfterNaming ?? false };
  const journal: DraftJournal = {
    read: () => ok(state.text === null ? null : readEnrolmentDraft(state.text)),
    write(draft) {
      state.text = draftText(draft);
      return draft.named && state.dies ? err(textError('cancelled', 'The program ended.')) : ok(undefined);
    },
  };
  return { state, journal };
}

describe('Sign-up interrupted past the server’s timeout', () => {
  let world: RelayWorld;
  let ahead = 0;
  beforeEach(async () => {
    ahead = 0;
    const clock = createSystemClock();
    const shifted: Clock = { ...clock, now: () => clock.now() + ahead };
    world = await new RelayWorld({}, shifted).start();
  });
  afterEach(() => world.end());

  const join = (journal: DraftJournal, inviteCode: string) =>
    signUp({
      serverUrl: world.relay.url,
      inviteCode,
      username: 'ada',
      journal,
      crypto: world.engine,
      clock: world.clock,
    });
  const late = () => {
    ahead += 11 * 60_000;
  };

  it('returns the same identity if the second phase succeeded but its response was lost', async () => {
    const { journal } = disk();
    const first = await join(journal, world.relay.createInvite());
    late();
    const again = await join(journal, 'inv-used-used-used-used');
    if (!first.ok || !again.ok) throw new Error('not signed up');
    expect(again.value.slug).toBe(first.value.slug);
    expect(again.value.secrets.root).toEqual(first.value.secrets.root);
  });

  it('restarts with the same keys and invite if the second phase did not succeed', async () => {
    const { journal, state } = disk({ dieAfterNaming: true });
    const code = world.relay.createInvite();
    expect(await join(journal, code)).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    const keys = readEnrolmentDraft(state.text ?? '')?.made.secrets.root;
    late();
    state.dies = false;
    const again = await join(journal, code);
    expect(again).toMatchObject({ ok: true });
    if (again.ok) expect(again.value.secrets.root).toEqual(keys);
  });

  it('creates no new keys if the stored draft cannot be read', async () => {
    const damaged: DraftJournal = {
      read: () => err(textError('corrupt', 'damaged')),
      write: () => ok(undefined),
    };
    expect(await join(damaged, world.relay.createInvite())).toMatchObject({ error: { code: 'corrupt' } });
  });
});
