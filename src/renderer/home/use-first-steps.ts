/** The checklist of first steps: each step is read from the state of Kennel, never ticked by hand. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AgentSummary, RoomsView } from '../../contract/model.ts';
import type { HostLink } from '../client/link.ts';
import { useAgents, useHost, useReplica, useRooms } from '../state/subscriptions.ts';

export const stepNames = ['model', 'agent', 'device', 'invite', 'backup'] as const;
export type StepName = (typeof stepNames)[number];

/** Ids of the agents that the demo makes. */
const demoAgents: readonly string[] = ['guide', 'checker'];

const hasRealModel = ({ scripted, provider, dot, error }: AgentSummary): boolean =>
  !scripted && provider !== '' && !(dot === 'needs_you' && error !== null);

/** Another person shares a room with the operator. */
function hasCompany(rooms: RoomsView | null, own: ReadonlySet<string>): boolean {
  return Object.values(rooms?.rooms ?? {}).some(({ members }) =>
    members.some(({ slug, agent }) => !agent && slug !== rooms?.self && !own.has(slug)),
  );
}

interface Asked {
  readonly isHidden: boolean;
  readonly backup: boolean;
  readonly device: boolean;
}

export interface FirstStepsState {
  /** `null` while it loads, and once the list is hidden or complete. */
  readonly done: Readonly<Record<StepName, boolean>> | null;
  hide(): void;
}

/** A second device of the operator, or a paired phone. */
async function hasSecondDevice(link: HostLink): Promise<boolean> {
  const [devices, bridge] = await Promise.all([
    link.call('devices.list', {}),
    link.call('bridge.status', {}),
  ]);
  const valid = devices.ok ? devices.value.devices.filter(({ revokedAt }) => revokedAt === null) : [];
  return valid.length > 1 || (bridge.ok && bridge.value.paired !== null);
}

/** Answers that no topic has; read again whenever the person returns to the page, until nothing is open. */
function useAsked(): { readonly asked: Asked | null; hide(): void } {
  const { link } = useReplica();
  const joined = useRooms((view) => (view?.self ?? null) !== null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const settled = useRef(false);
  const load = useCallback(async () => {
    if (settled.current) return;
    const steps = await link.call('setup.firstSteps', {});
    if (!steps.ok) return;
    const { isHidden, backedUpAt } = steps.value;
    const backup = backedUpAt !== null;
    const device = !isHidden && (await hasSecondDevice(link));
    settled.current = isHidden || (backup && device);
    setAsked({ isHidden, backup, device });
  }, [link]);
  useEffect(() => {
    if (!joined) return;
    void load();
    const again = (): void => void load();
    window.addEventListener('focus', again);
    return () => window.removeEventListener('focus', again);
  }, [joined, load]);
  const hide = (): void => {
    setAsked((now) => (now === null ? null : { ...now, isHidden: true }));
    void link.call('setup.hideFirstSteps', {});
  };
  return { asked, hide };
}

export function useFirstSteps(): FirstStepsState {
  const { asked, hide } = useAsked();
  const demo = useHost((host) => host?.demo ?? false);
  const model = useAgents((agents) => Object.values(agents ?? {}).some(hasRealModel));
  const agent = useAgents((agents) =>
    Object.keys(agents ?? {}).some((id) => !demo || !demoAgents.includes(id)),
  );
  const slugs = useAgents((agents) =>
    Object.values(agents ?? {})
      .map(({ slug }) => slug)
      .join(' '),
  );
  const invite = useRooms((rooms) => hasCompany(rooms, new Set(slugs.split(' '))));
  if (asked === null || asked.isHidden) return { done: null, hide };
  const done = { model, agent, device: asked.device, invite, backup: asked.backup };
  return { done: Object.values(done).every(Boolean) ? null : done, hide };
}
