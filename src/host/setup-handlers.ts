import { statSync } from 'node:fs';
import { appError } from '../contract/errors.ts';
import { err, ok } from '../contract/result.ts';
import type { HostContext } from './context.ts';
import { buildDemo, type DemoPlace } from './demo/demo.ts';
import { removeDemo } from './demo/remove-demo.ts';
import type { Handlers } from './dispatch.ts';
import { noEmbeddedRelay } from './embedded-relay.ts';

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

const offline = appError('unavailable', 'Kennel is not running, and this needs the network.', {
  hint: 'Start it with "kennel start".',
});

export function createSetupHandlers(context: HostContext, closeServers: () => void): SetupMethods {
  const { relay, ports } = context;
  let building: ReturnType<typeof buildDemo> | null = null;

  return {
    'setup.tryDemo': async () => {
      if (ports.mode !== 'full') return err(offline);
      building ??= buildDemo(context).finally(() => {
        building = null;
      });
      const built = await building;
      if (!built.ok) context.problems.set('demo', 'error', built.error);
      else context.problems.clear('demo');
      return built.ok ? ok<DemoPlace>(built.value) : built;
    },
    'setup.removeDemo': async () => {
      if (ports.mode !== 'full') return err(offline);
      await building;
      const removed = await removeDemo(context, closeServers);
      if (!removed.ok) return removed;
      return ok(removed.value === '' ? {} : { note: removed.value });
    },
    'setup.signUp': ({ serverUrl, inviteCode, username, displayName }) =>
      ports.mode !== 'full'
        ? err(offline)
        : context.identity.signUps.join({
            serverUrl,
            inviteCode,
            username,
            displayName: displayName ?? username,
          }),
    'relay.invite': async () => {
      const running = relay.current();
      return running ? ok({ code: await running.createInvite(), url: running.url }) : err(noEmbeddedRelay);
    },
    'relay.status': async () => {
      const running = relay.current();
      const status = await running?.status(shownPeople);
      return ok({
        embedded: relay.exists(),
        url: running?.url ?? null,
        bytes: bytesOf(context.layout.relayStore),
        connections: status?.connections ?? 0,
        people: [...(status?.people ?? [])],
      });
    },
  };
}
