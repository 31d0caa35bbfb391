import { err, ok, type Result } from '../../contract/result.ts';
import type { Clock } from '../../core/ports.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { OpenParts, Operator } from '../identity/operator.ts';
import type { EmbeddedRelay } from '../relay/embedded-relay.ts';
import { waitUntil } from '../wait-until.ts';
import { tooSlow } from './demo-errors.ts';
import { demoDisplayName, demoUsername } from './demo-profiles.ts';

const onlineMs = 15_000;

export interface DemoOperatorDeps {
  openParts(): Promise<Result<OpenParts>>;
  readonly relay: Pick<EmbeddedRelay, 'start'>;
  readonly operator: Pick<Operator, 'start' | 'adopt'>;
  startAgents(parts: OpenParts): void;
  onStarted(): void;
  readonly clock: Clock;
}

/** Starts the relay and the demo's operator, who is signed up first if missing. */
export async function startDemoOperator(deps: DemoOperatorDeps): Promise<Result<Account>> {
  const { relay: embedded, operator, clock } = deps;
  const parts = await deps.openParts();
  if (!parts.ok) return parts;
  const { crypto } = parts.value;
  const relay = await embedded.start(crypto);
  if (!relay.ok) return relay;
  const started = await operator.start(parts.value);
  if (!started.ok) return started;
  let session = started.value;
  if (!session) {
    const { signUp } = await import('../../services/puffo/registration.ts');
    const identity = await signUp({
      serverUrl: relay.value.url,
      inviteCode: await relay.value.createInvite(),
      username: demoUsername,
      displayName: demoDisplayName,
      crypto,
      clock,
    });
    if (!identity.ok) return identity;
    const adopted = await operator.adopt(parts.value, identity.value, demoDisplayName);
    if (!adopted.ok) return adopted;
    session = adopted.value;
  }
  const { account } = session.self;
  deps.startAgents(parts.value);
  deps.onStarted();
  const online = await waitUntil(clock, onlineMs, () => account.connection().state === 'online');
  return online ? ok(account) : err(tooSlow('your account did not come online in time'));
}
