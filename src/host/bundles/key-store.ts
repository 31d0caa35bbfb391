import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CryptoEngine } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { type ImportSource, readSmall } from '../../services/bundle/import-source.ts';
import { parseIdentity } from '../../services/vault/plain-identity.ts';
import type { NewOperator } from '../identity/new-operator.ts';
import type { Layout } from '../layout.ts';
import type { OpenParts } from '../operator.ts';

export interface StoredIdentity {
  readonly slug: string;
  readonly type: string;
  readonly serverUrl: string;
  readonly use: string;
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
      return { use: 'becomes you', take: { as: 'operator', agentId: '', identity } };
    }
    return { use: 'stays there: this folder has its operator already', take: null };
  }
  const agent = deps.agents.list().find(({ lastGood }) => lastGood?.puffo_core.slug === identity.slug);
  if (!agent) return { use: 'stays there: no agent here goes by this name', take: null };
  if (existsSync(join(deps.layout.agentKeys(agent.id), `${identity.slug}.json`))) {
    return { use: `stays there: agent ${agent.id} has its keys`, take: null };
  }
  return { use: `goes to agent ${agent.id}`, take: { as: 'agent', agentId: agent.id, identity } };
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
      found.push({ slug: path, type: 'unknown', serverUrl: '', use: parsed.error.message, take: null });
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
): Promise<string[]> {
  const said: string[] = [];
  for (const { slug, use, take } of stored) {
    if (!take) {
      said.push(`${slug}: ${use}.`);
      continue;
    }
    const parts = await deps.newOperator.openVault(true);
    if (!parts.ok) {
      said.push(`${slug} was not taken over: ${parts.error.message}`);
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
    said.push(taken.ok ? `${slug} ${use}.` : `${slug} was not taken over: ${taken.error.message}`);
    if (taken.ok && take.as === 'agent') deps.startAgents(parts.value);
  }
  deps.onTaken();
  return said;
}
