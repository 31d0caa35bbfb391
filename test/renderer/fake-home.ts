/** Methods of the fake host for home and the first run. */
import { textError } from '../../src/contract/errors.ts';
import type { AwayView, LocalFind } from '../../src/contract/home-methods.ts';
import type { MethodInput, MethodName, MethodOutput } from '../../src/contract/methods.ts';
import { err, ok } from '../../src/contract/result.ts';
import type { FakeFeed } from './fake-feed.ts';
import type { Handler } from './fake-host.ts';

const quiet: AwayView = {
  since: null,
  answered: [],
  missed: [],
  joined: [],
  decided: { allowed: 0, denied: 0, expired: 0 },
};

export class FakeHome {
  away: AwayView = quiet;
  found: LocalFind[] = [];
  /** Without a safe place, a key needs a passphrase first. */
  safe = true;
  steps: MethodOutput<'setup.firstSteps'> = { isHidden: false, backedUpAt: null };
  unfinished: MethodOutput<'setup.unfinished'>['signUp'] = null;
  /** Answers of the other device, one per call; afterwards calls stay pending. */
  readonly device: MethodOutput<'devices.enrolWait'>[] = [];
  private readonly feed: FakeFeed;

  constructor(feed: FakeFeed) {
    this.feed = feed;
  }

  table(): Partial<Record<MethodName, Handler>> {
    return {
      'home.away': () => ok(this.away),
      'home.seen': () => {
        this.away = { ...quiet, since: Date.now() };
        return ok({});
      },
      'setup.firstSteps': () => ok(this.steps),
      'setup.hideFirstSteps': () => {
        this.steps = { ...this.steps, isHidden: true };
        return ok({});
      },
      'setup.findLocal': () => ok({ found: this.found }),
      'setup.useModel': ({ agent, provider, model, apiKey }: MethodInput<'setup.useModel'>) => {
        if (apiKey !== undefined && !this.safe)
          return err(textError('insecure_storage', 'Keys are not stored while only the demo is protected.'));
        this.feed.patch(
          'agents',
          { op: 'set', path: [agent, 'scripted'], value: false },
          { op: 'set', path: [agent, 'provider'], value: provider },
          { op: 'set', path: [agent, 'model'], value: model },
        );
        return ok({ warning: '' });
      },
      'setup.unfinished': () => ok({ signUp: this.unfinished }),
      'setup.dropSignUp': () => ok({}),
      'setup.resumeSignUp': () => err(textError('unavailable', 'The server does not answer.')),
      'devices.enrolBegin': () =>
        ok({ code: 'K7QM-22PX', words: 'apple river stone', until: Date.now() + 600_000 }),
      'devices.enrolWait': async () => {
        const next = this.device.shift();
        if (next) return ok(next);
        await new Promise((done) => setTimeout(done, 400));
        return ok({ state: 'waiting' as const, slug: '', fingerprint: '' });
      },
      'devices.enrolFinish': ({ accept }: { accept: boolean }) => {
        if (accept) this.feed.patch('host', { op: 'set', path: ['firstRun'], value: false });
        return ok({ slug: accept ? 'ada-77aa' : null, note: accept ? 'Older messages stay there.' : '' });
      },
      'peers.allow': () => ok({ released: 1 }),
    };
  }
}
