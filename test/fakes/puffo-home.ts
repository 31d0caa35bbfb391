/** A puffo-agent home as version 0.8 writes it: unencrypted keys and API keys, plain files, flags. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { toBase64Url } from '../../src/core/lib/bytes.ts';
import type { CryptoEngine } from '../../src/core/ports.ts';
import { createSlugBinding } from '../../src/core/puffo/certificates.ts';
import { createIdentity } from '../../src/core/puffo/identity.ts';

export const canaries = {
  agentKey: 'canary-agent-key-000001',
  daemonKey: 'canary-daemon-key-000002',
} as const;

export interface OldHome {
  readonly folder: string;
  /** Texts in the home that must stay secret. */
  readonly secrets: readonly string[];
}

/** A key file (spec §1.8) and its secrets. */
export function oldKeyFile(crypto: CryptoEngine, slug: string, type: 'human' | 'agent') {
  const operator = type === 'agent' ? toBase64Url(crypto.ed25519KeyPair().public) : null;
  const made = createIdentity(crypto, { type, operatorRootPublicKey: operator, now: 1_778_790_000_000 });
  const root = { secret: made.secrets.root, public: crypto.ed25519KeyPair(made.secrets.root).public };
  const binding = createSlugBinding(crypto, root, slug, 1_778_790_000_000);
  const secrets = [made.secrets.root, made.secrets.deviceSigning, made.secrets.kem].map(toBase64Url);
  const file = {
    slug,
    device_id: made.deviceId,
    root_secret_key: secrets[0],
    device_signing_secret_key: secrets[1],
    kem_secret_key: secrets[2],
    server_url: 'http://127.0.0.1:9',
    slug_binding_json: JSON.stringify(binding),
    identity_cert_json: JSON.stringify(made.identityCert),
  };
  return { text: `${JSON.stringify(file, null, 2)}\n`, deviceId: made.deviceId, secrets };
}

export function makeOldHome(folder: string, crypto: CryptoEngine, agent = 'bot'): OldHome {
  const slug = `${agent}-0001`;
  const keys = oldKeyFile(crypto, slug, 'agent');
  const write = (name: string, text: string): void => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const inAgent = (name: string, text: string): void => write(`agents/${agent}/${name}`, text);
  write(
    'daemon.yml',
    `default_provider: openai\nopenai:\n  api_key: ${canaries.daemonKey}\n  model: gpt-4o\n`,
  );
  inAgent(
    'agent.yml',
    [
      `id: ${agent}`,
      'state: running',
      `display_name: Old ${agent}`,
      "role: 'coder: writes code'",
      'puffo_core:',
      '  server_url: http://127.0.0.1:9',
      `  slug: ${slug}`,
      `  device_id: ${keys.deviceId}`,
      '  space_id: sp_1',
      '  operator_slug: ada-0001',
      'runtime:',
      '  kind: chat-only',
      '  provider: anthropic',
      `  api_key: ${canaries.agentKey}`,
      'a_key_of_later: kept',
      '',
    ].join('\n'),
  );
  inAgent('profile.md', '# Agent Profile\n\n## Soul\n\nDry and exact.\n');
  inAgent('memory/people.md', 'Ada likes tea.\n');
  inAgent('workspace/main.py', 'print(1)\n');
  inAgent(`keys/${slug}.json`, keys.text);
  inAgent(`keys/${slug}.session.json`, '{}');
  inAgent('runtime.json', '{}');
  inAgent('messages.db', 'not ours');
  inAgent('.puffo-agent/restart.flag', 'requested');
  return { folder, secrets: [...keys.secrets, ...Object.values(canaries)] };
}

/** Contents of all files below `folder` by name, to compare two states. */
export function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .sort()
      .map((file) => [path.relative(folder, file), readFileSync(file, 'latin1')]),
  );
}
