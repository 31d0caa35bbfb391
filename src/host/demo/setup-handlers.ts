import { statSync } from 'node:fs';
import { fail } from '../../contract/fail.ts';
import { inviteDays } from '../../contract/invite-link.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { SharedRun } from '../../core/lib/shared-run.ts';
import type { Handlers } from '../dispatch.ts';
import type { HostPorts } from '../host-ports.ts';
import type { SignUps } from '../identity/sign-ups.ts';
import type { Problems } from '../problems.ts';
import { type EmbeddedRelay, noEmbeddedRelay } from '../relay/embedded-relay.ts';
import type { DemoPlace } from './demo.ts';

type SetupMethods = Pick<
  Handlers,
  'setup.tryDemo' | 'setup.removeDemo' | 'setup.signUp' | 'relay.invite' | 'relay.status'
>;

const shownPeople = 500;

/** Bytes on disk of a store and its write-ahead log. */
const bytesOf = (path: string): number =>
  [path, `${path}-wal`].reduce(
    (sum, each) => sum + (statSync(each, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

const offline = fail('unavailable', 'host.kennelNotRunning', {}, { help: 'moving.runStart' });

export interface SetupHandlerDeps {
  readonly mode: HostPorts['mode'];
  readonly problems: Problems;
  readonly demo: {
    build(): Promise<Result<DemoPlace>>;
    /** Returns what had to stay, or an empty text. */
    remove(): Promise<Result<string>>;
  };
  readonly signUps: Pick<SignUps, 'join'>;
  readonly relay: Pick<EmbeddedRelay, 'current' | 'exists'>;
  /** Path of the relay's store. */
  readonly relayStore: string;
}

export function createSetupHandlers(deps: SetupHandlerDeps): SetupMethods {
  const { mode, problems, demo, signUps, relay, relayStore } = deps;
  const building = new SharedRun<Result<DemoPlace>>();

  return {
    'setup.tryDemo': async () => {
      if (mode !== 'full') return err(offline);
      const built = await building.run(() => demo.build());
      if (!built.ok) problems.set('demo', 'error', built.error);
      else problems.clear('demo');
      return built.ok ? ok(built.value) : built;
    },
    'setup.removeDemo': async () => {
      if (mode !== 'full') return err(offline);
      await building.running;
      const removed = await demo.remove();
      if (!removed.ok) return removed;
      return ok(removed.value === '' ? {} : { note: removed.value });
    },
    'setup.signUp': ({ serverUrl, inviteCode, username, displayName }) =>
      mode !== 'full'
        ? err(offline)
        : signUps.join({
            serverUrl,
            inviteCode,
            username,
            displayName: displayName ?? username,
          }),
    'relay.invite': async () => {
      const running = relay.current();
      if (!running) return err(noEmbeddedRelay);
      const code = await running.createInvite();
      return ok({ code, url: running.url, validForDays: inviteDays });
    },
    'relay.status': async () => {
      const running = relay.current();
      const status = await running?.status(shownPeople);
      return ok({
        embedded: relay.exists(),
        url: running?.url ?? null,
        bytes: bytesOf(relayStore),
        connections: status?.connections ?? 0,
        people: [...(status?.people ?? [])],
      });
    },
  };
}
