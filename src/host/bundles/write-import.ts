import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../../contract/result.ts';
import { installedFile } from '../../core/agents/skills.ts';
import type { Clock, DiskPort, Random } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import { memoryFolder } from '../../services/agent-store/agent-folder.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import { distrustNotes } from '../../services/agent-store/note-provenance.ts';
import { readConfigText } from '../../services/agent-store/read-config.ts';
import { asResult } from '../../services/bundle/bundle-fault.ts';
import { staysHere } from '../../services/bundle/portable.ts';
import { writeFiles } from '../../services/bundle/whole-output.ts';
import { zipLimits } from '../../services/bundle/zip-limits.ts';
import { checkWholeRuntime } from '../agents/check-input.ts';
import type { OpenParts } from '../identity/operator.ts';
import type { Incoming } from './incoming-agent.ts';
import { withoutPermissions } from './permissions.ts';

export interface ImportOptions {
  readonly id: string;
  readonly trust: boolean;
  readonly identity: 'keep' | 'new';
  /** No size limit: the source is a folder on this machine. */
  readonly uncapped: boolean;
  /** Default provider and model at the source, or `null` if unknown. */
  readonly standard: { readonly provider: string; readonly model: string } | null;
}

export interface PlaceImportDeps {
  readonly agents: Pick<AgentStore, 'create'>;
  readonly disk: DiskPort;
  readonly agentsFolder: string;
  readonly clock: Clock;
  readonly random: Random;
}

/** Writes the source's default into an agent that named none, so it keeps its provider here. */
function keepStandard(
  { runtime }: Incoming['config'],
  document: Incoming['document'],
  standard: ImportOptions['standard'],
): void {
  if (!standard || runtime.provider !== '' || runtime.base_url !== '') return;
  if (!checkWholeRuntime({ ...runtime, provider: standard.provider }).ok) return;
  document.set(['runtime', 'provider'], standard.provider);
  if (runtime.model === '' && standard.model !== '') document.set(['runtime', 'model'], standard.model);
}

/** agent.yml of the import: paused, without secrets, and without permissions unless trusted. */
function incomingYaml(
  { config, document }: Incoming,
  identity: Identity | null,
  options: ImportOptions,
): string {
  document.set(['id'], options.id);
  document.set(['state'], 'paused');
  document.set(['runtime', 'api_key'], '');
  if (!options.trust) withoutPermissions(config, document);
  keepStandard(config, document, options.standard);
  if (!identity) {
    for (const key of ['slug', 'device_id', 'space_id', 'operator_slug'])
      document.set(['puffo_core', key], '');
  }
  return document.text();
}

function furnish(staged: string, folder: string): void {
  for (const name of readdirSync(staged)) {
    rmSync(join(folder, name), { recursive: true, force: true });
    renameSync(join(staged, name), join(folder, name));
  }
}

/** Writes the files of an imported agent; a failure leaves nothing behind. `parts` is needed for an identity. */
export async function placeImport(
  deps: PlaceImportDeps,
  incoming: Incoming,
  identity: Identity | null,
  parts: OpenParts | null,
  options: ImportOptions,
): Promise<Result<void>> {
  const { agents, disk, agentsFolder, clock, random } = deps;
  const yaml = incomingYaml(incoming, identity, options);
  const read = readConfigText(yaml, `${options.id}/agent.yml`);
  if (!read.ok) return read;
  // The prefix marks an unfinished agent, which the next start removes.
  const staged = join(agentsFolder, `.new-${options.id}-${random.uuid()}`);
  const left = options.trust ? ['agent.yml'] : ['agent.yml', installedFile];
  const files = incoming.source.files.filter(({ path }) => !left.includes(path) && !staysHere(path));
  const limit = options.uncapped ? Number.MAX_SAFE_INTEGER : zipLimits.totalBytes;
  const unpacked = await asResult(staged, async () => {
    mkdirSync(staged, { recursive: true, mode: 0o700 });
    await writeFiles(staged, files, limit);
  });
  const made = unpacked.ok
    ? agents.create({
        id: options.id,
        config: read.value.config,
        profile: incoming.profile,
        furnish(folder) {
          furnish(staged, folder);
          if (!options.trust && !options.uncapped) {
            const marked = distrustNotes(memoryFolder(folder, read.value.config), disk, clock.now());
            if (!marked.ok) return marked;
          }
          const written = disk.write(join(folder, 'agent.yml'), yaml);
          if (!written.ok || !identity || !parts) return written;
          return parts.keys.saveIdentity(join(folder, 'keys'), identity);
        },
      })
    : unpacked;
  disk.remove(staged);
  return made.ok ? ok(undefined) : made;
}
