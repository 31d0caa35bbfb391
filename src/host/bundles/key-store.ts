import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CryptoEngine } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import { type ImportSource, readSmall } from '../../services/bundle/import-source.ts';
import { parseIdentity } from '../../services/vault/plain-identity.ts';
import type { HostContext } from '../context.ts';

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

function placeFor(context: HostContext, identity: Identity): Pick<StoredIdentity, 'use' | 'take'> {
  if (identity.identityCert?.identity_type === 'human') {
    const record = context.operator.record();
    if (record.ok && record.value === null) {
      return { use: 'becomes you', take: { as: 'operator', agentId: '', identity } };
    }
    return { use: 'stays there: this folder has its operator already', take: null };
  }
  const agent = context.agents.list().find(({ lastGood }) => lastGood?.puffo_core.slug === identity.slug);
  if (!agent) return { use: 'stays there: no agent here goes by this name', take: null };
  if (existsSync(join(context.layout.agentKeys(agent.id), `${identity.slug}.json`))) {
    return { use: `stays there: agent ${agent.id} has its keys`, take: null };
  }
  return { use: `goes to agent ${agent.id}`, take: { as: 'agent', agentId: agent.id, identity } };
}

export async function readKeyStore(
  context: HostContext,
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
    found.push({ slug, type, serverUrl, ...placeFor(context, parsed.value) });
  }
  return found;
}

/** Imports each identity as planned; returns a report. */
export async function takeIdentities(
  context: HostContext,
  stored: readonly StoredIdentity[],
): Promise<string[]> {
  const said: string[] = [];
  for (const { slug, use, take } of stored) {
    if (!take) {
      said.push(`${slug}: ${use}.`);
      continue;
    }
    const opened = await context.secrets.openForReal();
    const parts = opened.ok ? await context.openParts() : opened;
    if (!parts.ok) {
      said.push(`${slug} was not taken over: ${parts.error.message}`);
      continue;
    }
    const { keys } = parts.value;
    const taken =
      take.as === 'agent'
        ? keys.saveIdentity(context.layout.agentKeys(take.agentId), take.identity)
        : await context.operator.adopt(
            parts.value,
            take.identity,
            take.identity.slug.replace(/-[0-9a-f]{4}$/, ''),
          );
    said.push(taken.ok ? `${slug} ${use}.` : `${slug} was not taken over: ${taken.error.message}`);
    if (taken.ok) context.fleet.begin(parts.value);
  }
  context.chat.reset();
  context.viewChanged();
  return said;
}
