import type { ImportReview, IncomingAgent } from '../../contract/bundles.ts';
import { errorSentence } from '../../contract/error-text.ts';
import { ok, type Result } from '../../contract/result.ts';
import { readSoul } from '../../core/agents/profile.ts';
import { installedFile } from '../../core/agents/skills.ts';
import { toBase64Url } from '../../core/lib/bytes.ts';
import type { CryptoEngine } from '../../core/ports.ts';
import type { Identity } from '../../core/puffo/identity.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { SourceAgent } from '../../services/bundle/import-source.ts';
import { staysHere } from '../../services/bundle/portable.ts';
import type { OperatorSession } from '../identity/operator.ts';
import { readHomeSettings } from './home-settings.ts';
import { type Incoming, readIncoming } from './incoming-agent.ts';
import { type KeyStoreDeps, readKeyStore } from './key-store.ts';
import { permissionsOf } from './permissions.ts';
import type { OpenedSource } from './with-source.ts';

const soulCharacters = 400;

export interface ReviewDeps {
  readonly agents: Pick<AgentStore, 'get'>;
  session(): OperatorSession | null;
  readonly keyStore: KeyStoreDeps;
}

function vouchedBy(deps: ReviewDeps, crypto: CryptoEngine, identity: Identity) {
  const declared = identity.identityCert?.declared_operator_public_key ?? null;
  if (declared === null) return 'nobody' as const;
  const session = deps.session();
  const mine = session ? toBase64Url(crypto.ed25519KeyPair(session.identity.secrets.root).public) : null;
  return declared === mine ? ('you' as const) : ('other' as const);
}

const triggersOf = ({ triggers }: Incoming['config']): string[] => [
  `mentions: ${triggers.on_mention ? 'yes' : 'no'}`,
  `direct messages: ${triggers.on_dm ? 'yes' : 'no'}`,
  ...Object.entries(triggers.channels).map(([channel, rule]) => `${channel}: ${rule}`),
];

function toolsOf({ tools, runtime }: Incoming['config']): string[] {
  const only = tools.allow.length > 0 ? tools.allow : ['the usual ones'];
  const denied = tools.deny.map((name) => `not ${name}`);
  return [...only, ...tools.alsoAllow, ...denied, ...runtime.allowed_tools];
}

const skillsIn = (files: readonly { readonly path: string }[]): string[] =>
  files.flatMap(({ path }) => {
    const name = /^workspace\/[.]claude\/skills\/([^/]+)\/SKILL[.]md$/.exec(path)?.[1];
    return name === undefined ? [] : [`the skill ${name}`];
  });

const unreadable = (source: SourceAgent, problem: string): IncomingAgent => ({
  id: source.id,
  displayName: '',
  role: '',
  soul: '',
  tools: [],
  triggers: [],
  permissions: [],
  problem,
  runtime: { kind: '', provider: '', model: '', baseUrl: '' },
  files: source.files.length,
  bytes: 0,
  notes: 0,
  left: [],
  identity: null,
  identityNote: '',
  apiKey: false,
});

function describe(deps: ReviewDeps, crypto: CryptoEngine, incoming: Incoming): IncomingAgent {
  const { source, config, profile, identity, identityNote } = incoming;
  const { kind, provider, model, base_url: baseUrl } = config.runtime;
  const files = source.files.filter(({ path }) => !staysHere(path));
  const memory = files.filter(
    ({ path }) => /^memory\/[^/.][^/]*[.]md$/.test(path) && path !== 'memory/README.md',
  );
  return {
    id: source.id,
    displayName: config.display_name || source.id,
    role: config.role,
    soul: [...readSoul(profile)].slice(0, soulCharacters).join(''),
    runtime: { kind, provider, model, baseUrl },
    tools: [...toolsOf(config), ...skillsIn(files)],
    triggers: triggersOf(config),
    permissions: files.some(({ path }) => path === installedFile)
      ? [...permissionsOf(config), 'trusts its skills as somebody allowed them elsewhere']
      : permissionsOf(config),
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    notes: memory.length,
    left: [...source.left].slice(0, 50),
    identity: identity
      ? {
          slug: identity.slug,
          serverUrl: identity.serverUrl,
          vouchedBy: vouchedBy(deps, crypto, identity),
        }
      : null,
    identityNote,
    apiKey: config.runtime.api_key !== '',
    problem: deps.agents.get(source.id) ? `There is already an agent '${source.id}' here.` : '',
  };
}

/** Describes what an import would add; writes nothing. */
export async function reviewSource(
  deps: ReviewDeps,
  { source, crypto, spare }: OpenedSource,
): Promise<Result<ImportReview>> {
  const agents: IncomingAgent[] = [];
  for (const one of source.agents) {
    const incoming = await readIncoming(crypto, one, spare);
    agents.push(
      incoming.ok ? describe(deps, crypto, incoming.value) : unreadable(one, errorSentence(incoming.error)),
    );
  }
  const identities = source.kind === 'keys' ? await readKeyStore(deps.keyStore, crypto, source) : [];
  const settings = await readHomeSettings(source);
  return ok({
    kind: source.kind,
    digest: source.digest,
    agents,
    identities: identities.map(({ slug, type, serverUrl, use }) => ({ slug, type, serverUrl, use })),
    providerKeys: settings ? Object.keys(settings.keys) : [],
  });
}
