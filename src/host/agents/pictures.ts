/**
 * Avatars of own agents for pages that cannot load remote images: fetched once, checked and passed on as data
 * URLs.
 */
import { imageType } from '../../contract/image-facts.ts';
import { ok, type Result } from '../../contract/result.ts';
import { avatarBlobId } from '../../core/puffo/avatar-url.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { Account } from '../../services/puffo/account-types.ts';
import type { Operator } from '../identity/operator.ts';
import { configInForce } from './agent-view.ts';
import { findAgent } from './find-agent.ts';

/** Bytes; larger pictures are left out because a page keeps them in memory. */
const maxShownBytes = 1024 * 1024;
const mostKept = 100;

function shown(bytes: Uint8Array): string {
  const type = imageType(bytes);
  if (type === null || bytes.length > maxShownBytes) return '';
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
}

type BlobAccount = Pick<Account, 'downloadBlob'>;

export interface Pictures {
  agent(input: { agent: string }): Promise<Result<{ picture: string }>>;
  own(): Promise<string>;
}

export interface PicturesDeps {
  readonly agents: AgentStore;
  readonly fleet: { account(agentId: string): BlobAccount | null };
  readonly operator: Pick<Operator, 'session'>;
}

export function createPictures({ agents, fleet, operator }: PicturesDeps): Pictures {
  const kept = new Map<string, string>();
  const keep = (key: string, picture: string): string => {
    const [oldest] = kept.keys();
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
    kept.set(key, picture);
    return picture;
  };
  const pictureAt = async (serverUrl: string, address: string, account: BlobAccount | undefined) => {
    const blobId = avatarBlobId(address, serverUrl);
    if (blobId === null) return '';
    const key = `${serverUrl} ${blobId}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const bytes = await account?.downloadBlob(blobId);
    // Offline, or deleted on the server: the page shows the initials, and a later call asks again.
    return bytes?.ok ? keep(key, shown(bytes.value)) : '';
  };
  return {
    async agent({ agent: ref }) {
      const found = findAgent(agents, ref);
      if (!found.ok) return found;
      const { avatar_url: address, puffo_core: core } = configInForce(found.value);
      const account = fleet.account(found.value.id) ?? undefined;
      return ok({ picture: await pictureAt(core.server_url, address, account) });
    },
    async own() {
      const session = operator.session();
      if (!session) return '';
      const { serverUrl, avatarUrl } = session.record;
      return pictureAt(serverUrl, avatarUrl, session.self.account);
    },
  };
}
