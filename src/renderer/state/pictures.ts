/** Pictures of own agents and of the operator, requested from the host once per address and connection. */
import { useEffect } from 'react';
import { create } from 'zustand';
import type { AgentSummary } from '../../contract/model.ts';
import type { Result } from '../../contract/result.ts';
import { useHost, useReplica } from './subscriptions.ts';

/** The key contains the address, so that a new picture replaces the old one. */
const usePictures = create<Readonly<Record<string, string>>>(() => ({}));
const asked = new Set<string>();
/** Absolute or relative to the server; the host checks that the picture belongs to the server. */
const blobAddress = /\/blobs\/[\w-]{1,100}$/;

interface Wanted {
  readonly key: string;
  readonly address: string;
  readonly online: boolean;
  ask(): Promise<Result<{ readonly picture: string }>>;
}

function useAsked({ key, address, online, ask }: Wanted): string {
  const picture = usePictures((all) => all[key] ?? '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked follows from the key
  useEffect(() => {
    if (!blobAddress.test(address) || !online || picture !== '' || asked.has(key)) return;
    asked.add(key);
    void ask().then((result) => {
      if (result.ok && result.value.picture !== '') usePictures.setState({ [key]: result.value.picture });
      else asked.delete(key);
    });
  }, [key, address, online, picture]);
  return picture;
}

/** Returns a `data:` URL, or an empty string until the picture is loaded. */
export function usePicture(agent: AgentSummary | null): string {
  const { link } = useReplica();
  const id = agent?.id ?? '';
  const address = agent?.avatarUrl ?? '';
  return useAsked({
    key: `${id} ${address}`,
    address,
    online: agent?.connection === 'online',
    ask: () => link.call('agents.picture', { agent: id }),
  });
}

/** The same for the operator; an empty string for any other slug. */
export function useOwnPicture(slug: string): string {
  const { link } = useReplica();
  const address = useHost((host) => (host?.operator?.slug === slug ? host.operator.avatarUrl : ''));
  const online = useHost((host) => host?.operator?.connection === 'online');
  return useAsked({
    key: `@${slug} ${address}`,
    address,
    online,
    ask: () => link.call('profile.own', {}),
  });
}
