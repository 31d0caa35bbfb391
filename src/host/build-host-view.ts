import type { HostView } from '../contract/model.ts';
import type { DaemonSettings } from '../services/config/daemon-settings.ts';
import type { Approvals } from './approvals/approvals.ts';
import type { OperatorParts } from './build-operator.ts';
import type { SettingsParts } from './build-settings.ts';
import type { Topics } from './feed/topics.ts';
import type { Fleet } from './fleet/fleet.ts';
import type { HostPorts } from './host-ports.ts';
import { viewHost, viewOperator } from './host-view.ts';
import type { Problems } from './problems.ts';
import type { EmbeddedRelay } from './relay/embedded-relay.ts';
import { viewNotifications } from './settings/settings-handlers.ts';
import type { UsageService } from './usage/usage.ts';

export interface HostViewWiring extends OperatorParts, Pick<SettingsParts, 'secrets' | 'demo'> {
  readonly ports: HostPorts;
  readonly topics: Topics;
  readonly problems: Problems;
  readonly settings: Pick<DaemonSettings, 'config'>;
  readonly relay: EmbeddedRelay;
  readonly approvals: Approvals;
  readonly usage: UsageService;
  readonly fleet: Pick<Fleet, 'brakes'>;
  state(): HostView['state'];
}

/** Part of the composition root: what clients see of the host itself. */
export function buildHostView(wiring: HostViewWiring): () => HostView {
  const { ports, topics, problems, settings, secrets, demo, relay, operator, invites } = wiring;
  const { approvals, usage, fleet, state } = wiring;
  const startedAt = ports.clock.now();
  return () => {
    const record = demo.read();
    return viewHost({
      ports,
      state: state(),
      startedAt,
      demo: record.ok ? record.value : null,
      agents: topics.agents.state(),
      vault: secrets.view(),
      relay: { embedded: relay.exists(), url: relay.current()?.url ?? null },
      operator: viewOperator(operator),
      now: ports.clock.now(),
      approvals: approvals.topic.state(),
      invites: invites.all().map(({ eventId }) => eventId),
      spentToday: usage.spentToday(null),
      brakes: [...fleet.brakes()],
      problems: [...problems.list()],
      notifications: viewNotifications(settings.config()),
    });
  };
}
