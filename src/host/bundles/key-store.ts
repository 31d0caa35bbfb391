import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../contract/errors.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { type ImportSource, readSmall } from '../../services/bundle/import-source.ts';
import { parseIdentity } from '../../services/vault/plain-identity.ts';
import type { NewOperator } from '../identity/new-operator.ts';
import type { OpenParts } from '../identity/operator.ts';
import type { Layout } from '../layout.ts';

export interface StoredIdentity {
  readonly slug: string;
  readonly type: string;
  readonly serverUrl: string;
  readonly use: HostText;
  readonly take: {
    readonly as: 'operator' | 'agent';
    readonly agentId: string;
    readonly identity: Identity;
  } | null;
}

export interface KeyStoreDeps {
  readonly newOperator: NewOperator;
  readonly agents: Pick<AgentStore, 'list'>;
  readonly layout: Pick<Layout, 'agentKeys'>;
  startAgents(parts: OpenParts): void;
  /** Called once after all identities. */
  onTaken(): void;
}

function planFor(deps: KeyStoreDeps, identity: Identity): Pick<StoredIdentity, 'use' | 'take'> {
  if (identity.identityCert?.identity_type === 'human') {
    const present = deps.newOperator.present();
    if (present.ok && present.value === null) {
      return { use: say('moving.becomesYou'), take: { as: 'operator', agentId: '', identity } };
    }
    return { use: say('moving.operatorStays'), take: null };
  }
  const agent = deps.agents.list().find(({ lastGood }) => lastGood?.puffo_core.slug === identity.slug);
  if (!agent) return { use: say('moving.noSuchAgent'), take: null };
  if (existsSync(join(deps.layout.agentKeys(agent.id), `${identity.slug}.json`))) {
    return { use: say('moving.agentHasKeys', { id: agent.id }), take: null };
  }
  return {
    use: say('moving.goesToAgent', { id: agent.id }),
    take: { as: 'agent', agentId: agent.id, identity },
  };
}

export async function readKeyStore(
  deps: KeyStoreDeps,
  crypto: CryptoEngine,
  source: ImportSource,
): Promise<readonly StoredIdentity[]> {
  const found: StoredIdentity[] = [];
  for (const { path } of source.loose) {
    const parsed = parseIdentity(crypto, (await readSmall(source.loose, path)) ?? '');
    if (!parsed.ok) {
      found.push({ slug: path, type: 'unknown', serverUrl: '', use: messageOf(parsed.error), take: null });
      continue;
    }
    const { slug, serverUrl, identityCert } = parsed.value;
    const type = identityCert?.identity_type ?? 'agent';
    found.push({ slug, type, serverUrl, ...planFor(deps, parsed.value) });
  }
  return found;
}

/** Imports each identity as planned; returns a report. */
export async function takeIdentities(
  deps: KeyStoreDeps,
  stored: readonly StoredIdentity[],
): Promise<HostText[]> {
  const said: HostText[] = [];
  for (const { slug, use, take } of stored) {
    if (!take) {
      said.push(say('moving.identityLeft', { slug, use }));
      continue;
    }
    const parts = await deps.newOperator.openVault(true);
    if (!parts.ok) {
      said.push(say('moving.identityNotTaken', { slug, why: messageOf(parts.error) }));
      continue;
    }
    const { keys } = parts.value;
    const taken =
      take.as === 'agent'
        ? keys.saveIdentity(deps.layout.agentKeys(take.agentId), take.identity)
        : await deps.newOperator.adopt(
            parts.value,
            take.identity,
            take.identity.slug.replace(/-[0-9a-f]{4}$/, ''),
          );
    said.push(
      taken.ok
        ? say('moving.identityTaken', { slug, use })
        : say('moving.identityNotTaken', { slug, why: messageOf(taken.error) }),
    );
    if (taken.ok && take.as === 'agent') deps.startAgents(parts.value);
  }
  deps.onTaken();
  return said;
}
