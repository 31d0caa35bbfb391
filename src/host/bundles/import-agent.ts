import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { appError } from '../../contract/errors.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { isAgentId, isConfigured } from '../../core/agents/agent-config.ts';
import { installedFile } from '../../core/agents/skills.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import { memoryFolder } from '../../services/agent-store/agent-folder.ts';
import { distrustNotes } from '../../services/agent-store/note-provenance.ts';
import { readConfigText } from '../../services/agent-store/read-config.ts';
import { asResult } from '../../services/bundle/bundle-fault.ts';
import { staysHere } from '../../services/bundle/portable.ts';
import { writeFiles } from '../../services/bundle/whole-output.ts';
import { zipLimits } from '../../services/bundle/zip-limits.ts';
import { checkWholeRuntime } from '../agents/check-input.ts';
import { registerIdentity } from '../agents/register-agent.ts';
import type { HostContext } from '../context.ts';
import type { OpenParts } from '../operator.ts';
import type { Incoming } from './incoming.ts';
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

export interface ImportedAgent {
  readonly registered: boolean;
  readonly note: string;
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

/** Secrets come first: without its key the agent would use another model than intended. */
async function storeSecrets(
  context: HostContext,
  incoming: Incoming,
  identity: Identity | null,
  id: string,
): Promise<Result<OpenParts | null>> {
  const key = incoming.config.runtime.api_key;
  if (!identity && key === '') return ok(null);
  const opened = await context.secrets.openForReal();
  if (!opened.ok) return opened;
  const stored = key === '' ? ok(undefined) : context.secrets.apiKeys.setForAgent(id, key);
  return stored.ok ? context.openParts() : stored;
}

function furnish(staged: string, folder: string): void {
  for (const name of readdirSync(staged)) {
    rmSync(join(folder, name), { recursive: true, force: true });
    renameSync(join(staged, name), join(folder, name));
  }
}

async function place(
  context: HostContext,
  incoming: Incoming,
  identity: Identity | null,
  parts: OpenParts | null,
  options: ImportOptions,
): Promise<Result<void>> {
  const { agents, disk, layout, ports } = context;
  const yaml = incomingYaml(incoming, identity, options);
  const read = readConfigText(yaml, `${options.id}/agent.yml`);
  if (!read.ok) return read;
  // The prefix marks an unfinished agent, which the next start removes.
  const staged = join(layout.agents, `.new-${options.id}-${ports.random.uuid()}`);
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
            const marked = distrustNotes(memoryFolder(folder, read.value.config), disk, ports.clock.now());
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

const elsewhere = 'Its keys came along: stop it wherever else it runs, or both would answer in one name.';

async function identityFor(context: HostContext, id: string): Promise<ImportedAgent> {
  const agent = context.agents.get(id);
  const noOperator =
    'It has no identity: sign up ("kennel operator sign-up"), then "kennel agent register ID".';
  if (context.ports.mode !== 'full' || !context.operator.session() || !agent) {
    return { registered: false, note: noOperator.replace('ID', id) };
  }
  const registered = await registerIdentity(context, agent);
  if (registered.ok) return { registered: true, note: 'It has a new identity, which yours vouches for.' };
  return {
    registered: false,
    note: `It has no identity yet: ${registered.error.message} Try "kennel agent register ${id}".`,
  };
}

/** Imports one agent, paused. A failure leaves nothing behind. */
export async function importAgent(
  context: HostContext,
  incoming: Incoming,
  options: ImportOptions,
): Promise<Result<ImportedAgent>> {
  const { id } = options;
  if (!isAgentId(id)) return err(appError('invalid_input', `"${id}" cannot be an agent's id.`));
  if (context.agents.get(id)) {
    return err(
      appError('conflict', `There is already an agent '${id}' here.`, {
        hint: 'Give the new one another id: --as NEW.',
      }),
    );
  }
  const identity = options.identity === 'keep' ? incoming.identity : null;
  const parts = await storeSecrets(context, incoming, identity, id);
  if (!parts.ok) return parts;
  const placed = await place(context, incoming, identity, parts.value, options);
  if (!placed.ok) {
    context.secrets.apiKeys.removeForAgent(id);
    return placed;
  }
  context.fleet.apply();
  context.ports.log.info('agent_imported', { agent: id, identity: identity !== null });
  if (!identity) return ok(await identityFor(context, id));
  return ok({ registered: isConfigured(incoming.config), note: elsewhere });
}
