import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Imported } from '../../contract/bundles.ts';
import { appError } from '../../contract/errors.ts';
import type { MethodParsed } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import { asResult } from '../../services/bundle/bundle-fault.ts';
import { type ImportSource, openSource } from '../../services/bundle/import-source.ts';
import type { HostContext } from '../context.ts';
import { readHomeSettings, standardOf, takeSettings } from './home-settings.ts';
import { type ImportOptions, importAgent } from './import-agent.ts';
import { readIncoming } from './incoming.ts';
import { readKeyStore, takeIdentities } from './key-store.ts';
import { puffoCliKeys } from './puffo-cli.ts';

type ImportInput = MethodParsed<'bundles.import'>;

interface Opened {
  readonly source: ImportSource;
  readonly crypto: CryptoEngine;
  readonly spare: (slug: string) => string | null;
}

/**
 * puffo-agent looks for a missing identity in the puffo-cli store (spec §1.8); an import of its home does the
 * same.
 */
function spareKeys({ ports }: HostContext, { kind }: ImportSource): (slug: string) => string | null {
  const folder = puffoCliKeys(ports.env, process.platform);
  return (slug) => {
    const path = join(folder, `${slug}.json`);
    return kind === 'home' && /^[\w.@-]+$/.test(slug) && existsSync(path) ? readFileSync(path, 'utf8') : null;
  };
}

export async function withSource<T>(
  context: HostContext,
  { path, passphrase }: { path: string; passphrase?: string | undefined },
  work: (opened: Opened) => Promise<Result<T>>,
): Promise<Result<T>> {
  if (!isAbsolute(path)) return err(appError('invalid_input', 'The path must be whole.', { where: 'path' }));
  const crypto = await context.ports.loadCrypto();
  if (!crypto.ok) return crypto;
  const source = await openSource(path, passphrase);
  if (!source.ok) return source;
  try {
    const spare = spareKeys(context, source.value);
    const done = await asResult(path, () => work({ source: source.value, crypto: crypto.value, spare }));
    return done.ok ? done.value : done;
  } finally {
    source.value.close();
  }
}

async function importAgents(
  context: HostContext,
  { source, crypto, spare }: Opened,
  input: ImportInput,
  standard: ImportOptions['standard'],
): Promise<Imported['agents']> {
  const chosen = source.agents.filter(({ id }) => input.only === undefined || input.only.includes(id));
  const done: Imported['agents'] = [];
  for (const one of chosen) {
    const id = input.as ?? one.id;
    const incoming = await readIncoming(crypto, one, spare);
    const uncapped = source.kind === 'home' || source.kind === 'folder';
    const options = { id, trust: input.trust, identity: input.identity, uncapped, standard };
    const imported = incoming.ok ? await importAgent(context, incoming.value, options) : incoming;
    if (imported.ok) done.push({ from: one.id, id, imported: true, ...imported.value });
    else {
      const note = [imported.error.message, imported.error.hint].filter(Boolean).join(' ');
      done.push({ from: one.id, id, imported: false, registered: false, note });
    }
  }
  return done;
}

export async function importAll(
  context: HostContext,
  opened: Opened,
  input: ImportInput,
): Promise<Result<Imported>> {
  const { source } = opened;
  if (source.digest !== input.digest) {
    return err(
      appError('conflict', 'What lies there has changed since you saw it. Nothing was imported.', {
        hint: 'Look again.',
      }),
    );
  }
  if (input.as !== undefined && source.agents.length !== 1) {
    return err(appError('invalid_input', 'Another id can be given to one agent at a time.', { where: 'as' }));
  }
  if (source.kind === 'keys') {
    if (context.ports.mode !== 'full') {
      return err(
        appError('unavailable', 'Kennel is not running, and this needs it.', {
          hint: 'Start it with "kennel start".',
        }),
      );
    }
    return ok({
      agents: [],
      notes: await takeIdentities(context, await readKeyStore(context, opened.crypto, source)),
    });
  }
  const settings = await readHomeSettings(source);
  const agents = await importAgents(context, opened, input, settings && standardOf(settings));
  return ok({ agents, notes: settings ? await takeSettings(context, settings) : [] });
}
