import { isAbsolute } from 'node:path';
import { messageOf, withHint } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { AgentConfig } from '../../core/agents/agent-config.ts';
import type { YamlDocument } from '../../core/lib/yaml-document.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import { readConfigText } from '../../services/agent-store/read-config.ts';
import { asResult } from '../../services/bundle/bundle-fault.ts';
import { readSmall, type SourceAgent } from '../../services/bundle/import-source.ts';
import { parseIdentity } from '../../services/vault/plain-identity.ts';

/** An agent read from a source, not imported yet. */
export interface Incoming {
  readonly source: SourceAgent;
  readonly config: AgentConfig;
  readonly document: YamlDocument;
  readonly profile: string;
  readonly identity: Identity | null;
  /** Why the identity is missing; empty if it is present or not needed. */
  readonly identityNote: HostText;
}

const leadsOut = (path: string): boolean => isAbsolute(path) || path.split(/[/\\]/).includes('..');

/** Resets paths that point outside the agent's folder. */
function withOwnPaths({ config, document }: Pick<Incoming, 'config' | 'document'>): void {
  const standard = { profile: 'profile.md', memory_dir: 'memory', workspace_dir: 'workspace' } as const;
  for (const [key, fallback] of Object.entries(standard)) {
    const path = config[key as keyof typeof standard];
    if (path === '' || leadsOut(path)) document.set([key], fallback);
  }
}

async function identityIn(
  crypto: CryptoEngine,
  source: SourceAgent,
  slug: string,
  spare: (slug: string) => string | null,
): Promise<Pick<Incoming, 'identity' | 'identityNote'>> {
  const text = slug === '' ? null : ((await readSmall(source.files, `keys/${slug}.json`)) ?? spare(slug));
  if (text === null) return { identity: null, identityNote: say('moving.withoutKeys') };
  const parsed = parseIdentity(crypto, text);
  if (!parsed.ok) return { identity: null, identityNote: messageOf(parsed.error) };
  if (parsed.value.slug !== slug) return { identity: null, identityNote: say('moving.foreignKeys') };
  if (parsed.value.identityCert?.identity_type === 'human') {
    return { identity: null, identityNote: say('moving.personKeys') };
  }
  return { identity: parsed.value, identityNote: '' };
}

/** `spare` finds a key file elsewhere if the agent has none (spec §1.8). */
export async function readIncoming(
  crypto: CryptoEngine,
  source: SourceAgent,
  spare: (slug: string) => string | null = () => null,
): Promise<Result<Incoming>> {
  const read = await asResult(source.id, async () => {
    const yaml = (await readSmall(source.files, 'agent.yml')) ?? '';
    const parsed = readConfigText(yaml, `${source.id}/agent.yml`);
    if (!parsed.ok) return parsed;
    withOwnPaths(parsed.value);
    const again = readConfigText(parsed.value.document.text(), `${source.id}/agent.yml`);
    if (!again.ok) return again;
    const { config, document } = again.value;
    const profile = await readSmall(source.files, config.profile);
    if (profile === null) {
      return err(
        fail('invalid_input', 'moving.profileMissing', {}, { where: `${source.id}/${config.profile}` }),
      );
    }
    const keys = await identityIn(crypto, source, config.puffo_core.slug, spare);
    return ok({ source, config, document, profile, ...keys });
  });
  if (!read.ok) return read;
  return read.value.ok ? read.value : err(withHint(read.value.error, say('moving.nothingImported')));
}
