/** Pictures of own agents, as the host hands them over; asked for once per address and connection. */
import { useEffect } from 'react';
import { create } from 'zustand';
import type { AgentSummary } from '../../contract/model.ts';
import { useReplica } from './subscriptions.ts';

/** By agent and address, so that a new picture takes the place of the old one. */
const usePictures = create<Readonly<Record<string, string>>>(() => ({}));
const asked = new Set<string>();

/** A data: address, or nothing as long as there is none. */
export function usePicture(agent: AgentSummary | null): string {
  const { link } = useReplica();
  const id = agent?.id ?? '';
  const address = agent?.avatarUrl ?? '';
  const key = `${id} ${address}`;
  const online = agent?.connection === 'online';
  const picture = usePictures((all) => all[key] ?? '');
  useEffect(() => {
    if (!address.startsWith('/blobs/') || !online || picture !== '' || asked.has(key)) return;
    asked.add(key);
    void link.call('agents.picture', { agent: id }).then((result) => {
      if (result.ok && result.value.picture !== '') usePictures.setState({ [key]: result.value.picture });
      else asked.delete(key);
    });
  }, [link, id, address, key, online, picture]);
  return picture;
}
