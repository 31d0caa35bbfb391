import { appError } from '../contract/errors.ts';
import { err, ok } from '../contract/result.ts';
import type { HostContext } from './context.ts';
import { buildDemo, type DemoPlace } from './demo/demo.ts';
import { removeDemo } from './demo/remove-demo.ts';
import type { Handlers } from './dispatch.ts';
import { noEmbeddedRelay } from './embedded-relay.ts';

type SetupMethods = Pick<Handlers, 'setup.tryDemo' | 'setup.removeDemo' | 'setup.signUp' | 'relay.invite'>;

const offline = appError('unavailable', 'Kennel is not running, and this needs the network.', {
  hint: 'Start it with "kennel start".',
});

export function createSetupHandlers(context: HostContext, closeServers: () => void): SetupMethods {
  const { operator, secrets, relay, ports } = context;
  let building: ReturnType<typeof buildDemo> | null = null;

  const join = async (input: {
    serverUrl: string;
    inviteCode: string;
    username: string;
    displayName: string;
  }) => {
    const someone = operator.record();
    if (!someone.ok) return someone;
    if (someone.value) {
      return err(
        appError('conflict', `You are signed up already, as ${someone.value.slug}.`, {
          hint: 'If that is the demo: "kennel demo remove", then sign up.',
        }),
      );
    }
    const vault = await secrets.openForReal();
    if (!vault.ok) return vault;
    const parts = await context.openParts();
    if (!parts.ok) return parts;
    const { crypto } = parts.value;
    const { signUp } = await import('../services/puffo/enrolment.ts');
    const identity = await signUp({ ...input, crypto, clock: ports.clock });
    if (!identity.ok) return identity;
    const adopted = await operator.adopt(parts.value, identity.value, input.displayName);
    if (!adopted.ok) return adopted;
    context.fleet.begin(parts.value);
    context.chat.reset();
    context.viewChanged();
    return ok({ slug: identity.value.slug });
  };

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
        : join({ serverUrl, inviteCode, username, displayName: displayName ?? username }),
    'relay.invite': () => {
      const running = relay.current();
      return running ? ok({ code: running.createInvite(), url: running.url }) : err(noEmbeddedRelay);
    },
  };
}
