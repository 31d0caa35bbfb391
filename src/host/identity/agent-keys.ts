import type { Result } from '../../contract/result.ts';
import type { DiskPort } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { Layout } from '../layout.ts';
import type { OpenParts } from './operator.ts';
import { type PublicIdentity, readPublicIdentity } from './public-certs.ts';

export interface AgentKeysDeps {
  readonly disk: DiskPort;
  readonly layout: Pick<Layout, 'agentKeys'>;
  openParts(): Promise<Result<OpenParts>>;
}

/** The key files in the agents' folders. */
export interface AgentKeys {
  /** Works while the vault is closed; `null` if the certificate is missing or unreadable. */
  readPublic(agentId: string, slug: string): PublicIdentity | null;
  load(agentId: string, slug: string): Promise<Result<Identity>>;
}

export function createAgentKeys({ disk, layout, openParts }: AgentKeysDeps): AgentKeys {
  return {
    readPublic: (agentId, slug) => readPublicIdentity(disk, layout.agentKeys(agentId), slug),
    async load(agentId, slug) {
      const parts = await openParts();
      return parts.ok ? parts.value.keys.loadIdentity(layout.agentKeys(agentId), slug) : parts;
    },
  };
}
