import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Imported } from '../../contract/bundles.ts';
import { appError } from '../../contract/errors.ts';
import type { MethodParsed } from '../../contract/methods.ts';
import type { AgentSummary } from '../../contract/model.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import { asResult } from '../../services/bundle/bundle-fault.ts';
import { type ImportSource, openSource } from '../../services/bundle/import-source.ts';
import { summaryOf } from '../agents/agent-handlers.ts';
import { configInForce } from '../agents/agent-view.ts';
import { findAgent } from '../agents/find-agent.ts';
import { registerIdentity } from '../agents/register-agent.ts';
import type { HostContext } from '../context.ts';
import type { Handlers } from '../dispatch.ts';
import { exportAgent } from './export-handler.ts';
import { readHomeSettings, takeSettings } from './home-settings.ts';
import { importAgent } from './import-agent.ts';
import { readIncoming } from './incoming.ts';
import { readKeyStore, takeIdentities } from './key-store.ts';
import { puffoCliKeys } from './puffo-cli.ts';
import { reviewSource } from './review.ts';

type BundleMethods = Pick<
  Handlers,
  'agents.register' | 'bundles.export' | 'bundles.review' | 'bundles.import'
>;
type ImportInput = MethodParsed<'bundles.import'>;

interface Opened {
  readonly source: ImportSource;
  readonly crypto: CryptoEngine;
  readonly spare: (slug: string) => string | null;
}

/** puffo-agent looks for a missing identity in the store of puffo-cli (spec §1.8); so does an import of its home. */
function spareKeys({ ports }: HostContext, { kind }: ImportSource): (slug: string) => string | null {
  const folder = puffoCliKeys(ports.env, process.platform);
  return (slug) => {
    const path = join(folder, `${slug}.json`);
    return kind === 'home' && /^[\w.@-]+$/.test(slug) && existsSync(path) ? readFileSync(path, 'utf8') : null;
  };
}

async function withSource<T>(
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
): Promise<Imported['agents']> {
  const chosen = source.agents.filter(({ id }) => input.only === undefined || input.only.includes(id));
  const done: Imported['agents'] = [];
  for (const one of chosen) {
    const id = input.as ?? one.id;
    const incoming = await readIncoming(crypto, one, spare);
    const uncapped = source.kind === 'home' || source.kind === 'folder';
    const options = { id, trust: input.trust, identity: input.identity, uncapped };
    const imported = incoming.ok ? await importAgent(context, incoming.value, options) : incoming;
    if (imported.ok) done.push({ from: one.id, id, imported: true, ...imported.value });
    else {
      const note = [imported.error.message, imported.error.hint].filter(Boolean).join(' ');
      done.push({ from: one.id, id, imported: false, registered: false, note });
    }
  }
  return done;
}

async function importAll(
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
  const agents = await importAgents(context, opened, input);
  const settings = await readHomeSettings(source);
  return ok({ agents, notes: settings ? await takeSettings(context, settings) : [] });
}

async function register(context: HostContext, ref: string): Promise<Result<AgentSummary>> {
  const found = findAgent(context.agents, ref);
  if (!found.ok) return found;
  const { slug } = configInForce(found.value).puffo_core;
  if (slug !== '') return err(appError('conflict', `${found.value.id} has an identity already: ${slug}.`));
  const registered = await registerIdentity(context, found.value);
  return registered.ok ? ok(summaryOf(context, registered.value)) : registered;
}

export function createBundleHandlers(context: HostContext): BundleMethods {
  return {
    'agents.register': ({ agent }) => register(context, agent),
    'bundles.export': (input) => exportAgent(context, input),
    'bundles.review': (input) =>
      withSource(context, input, ({ source, crypto, spare }) => reviewSource(context, crypto, source, spare)),
    'bundles.import': (input) => withSource(context, input, (opened) => importAll(context, opened, input)),
  };
}
