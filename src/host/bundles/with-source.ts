import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fail } from '../../contract/fail.ts';
import { err, type Result } from '../../contract/result.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import { asResult } from '../../services/bundle/bundle-fault.ts';
import { type ImportSource, openSource } from '../../services/bundle/import-source.ts';
import { puffoCliKeys } from './puffo-cli.ts';

export interface SourceDeps {
  loadCrypto(): Promise<Result<CryptoEngine>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface OpenedSource {
  readonly source: ImportSource;
  readonly crypto: CryptoEngine;
  readonly spare: (slug: string) => string | null;
}

/**
 * puffo-agent looks for a missing identity in the puffo-cli store (spec §1.8); an import of its home does the
 * same.
 */
function spareKeys({ env }: SourceDeps, { kind }: ImportSource): (slug: string) => string | null {
  const folder = puffoCliKeys(env, process.platform);
  return (slug) => {
    const path = join(folder, `${slug}.json`);
    return kind === 'home' && /^[\w.@-]+$/.test(slug) && existsSync(path) ? readFileSync(path, 'utf8') : null;
  };
}

export async function withSource<T>(
  deps: SourceDeps,
  { path, passphrase }: { path: string; passphrase?: string | undefined },
  work: (opened: OpenedSource) => Promise<Result<T>>,
): Promise<Result<T>> {
  if (!isAbsolute(path)) return err(fail('invalid_input', 'moving.pathNotAbsolute', {}, { where: 'path' }));
  const crypto = await deps.loadCrypto();
  if (!crypto.ok) return crypto;
  const source = await openSource(path, passphrase);
  if (!source.ok) return source;
  try {
    const spare = spareKeys(deps, source.value);
    const done = await asResult(path, () => work({ source: source.value, crypto: crypto.value, spare }));
    return done.ok ? done.value : done;
  } finally {
    source.value.close();
  }
}
