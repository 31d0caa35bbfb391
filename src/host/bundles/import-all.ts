import type { Imported } from '../../contract/bundles.ts';
import { fail } from '../../contract/fail.ts';
import type { MethodParsed } from '../../contract/methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { withNextStep } from '../../core/lib/with-next-step.ts';
import { readHomeSettings, standardOf, type TakeSettingsDeps, takeSettings } from './home-settings.ts';
import { type ImportAgentDeps, importAgent } from './import-agent.ts';
import { readIncoming } from './incoming-agent.ts';
import { type KeyStoreDeps, readKeyStore, takeIdentities } from './key-store.ts';
import type { OpenedSource, SourceDeps } from './with-source.ts';
import type { ImportOptions } from './write-import.ts';

type ImportInput = MethodParsed<'bundles.import'>;

export interface ImportDeps {
  readonly source: SourceDeps;
  readonly agent: ImportAgentDeps;
  readonly keyStore: KeyStoreDeps;
  readonly settings: TakeSettingsDeps;
  /** False for a command that changes files without a running host. */
  readonly isRunning: boolean;
}

async function importAgents(
  deps: ImportDeps,
  { source, crypto, spare }: OpenedSource,
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
    const imported = incoming.ok ? await importAgent(deps.agent, incoming.value, options) : incoming;
    if (imported.ok) done.push({ from: one.id, id, imported: true, ...imported.value });
    else {
      const note = withNextStep(imported.error);
      done.push({ from: one.id, id, imported: false, registered: false, note });
    }
  }
  return done;
}

export async function importAll(
  deps: ImportDeps,
  opened: OpenedSource,
  input: ImportInput,
): Promise<Result<Imported>> {
  const { source } = opened;
  if (source.digest !== input.digest) {
    return err(fail('conflict', 'moving.sourceChanged', {}, { help: 'moving.lookAgain' }));
  }
  if (input.as !== undefined && source.agents.length !== 1) {
    return err(fail('invalid_input', 'moving.oneNewIdOnly', {}, { where: 'as' }));
  }
  if (source.kind === 'keys') {
    if (!deps.isRunning) {
      return err(fail('unavailable', 'moving.kennelNotRunning', {}, { help: 'moving.runStart' }));
    }
    return ok({
      agents: [],
      notes: await takeIdentities(deps.keyStore, await readKeyStore(deps.keyStore, opened.crypto, source)),
    });
  }
  const settings = await readHomeSettings(source);
  const agents = await importAgents(deps, opened, input, settings && standardOf(settings));
  return ok({ agents, notes: settings ? await takeSettings(deps.settings, settings) : [] });
}
