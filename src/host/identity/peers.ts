import type { AppError } from '../../contract/errors.ts';
import { fail } from '../../contract/fail.ts';
import type { PeerView } from '../../contract/identity-methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { isSlug } from '../../contract/room-id.ts';
import { fromBase64Url } from '../../core/lib/bytes.ts';
import type { Log } from '../../core/ports.ts';
import { say } from '../../language/say.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { ChangedRoot } from '../../services/puffo/identities.ts';
import type { Problems } from '../problems.ts';
import { keyChanged } from './key-changed.ts';
import type { OperatorSession } from './operator.ts';
import { type OwnAccount, type OwnAccountDeps, openOwnAccount } from './own-account.ts';

// Loaded on demand to keep startup fast.
const loadContacts = () => import('../../services/puffo/contacts.ts');
const loadFingerprints = () => import('../../core/puffo/enrolment.ts');

const heldId = (slug: string): string => `held-${slug}`;
const contactId = (slug: string): string => `contact-${slug}`;

export const notSignedUp = fail(
  'conflict',
  'identity.notSignedUp',
  {},
  { help: 'identity.runSignUpOrEnrol' },
);

interface Changed extends ChangedRoot {
  readonly serverUrl: string;
  readonly knownFingerprint: string;
  readonly offeredFingerprint: string;
}

/** Limits on the senders shown and their messages counted, because a server can invent any number. */
const mostShown = 50;
const mostCounted = 10_000;

const ownName = (slug: string): AppError =>
  fail('untrusted', 'identity.ownNameKeyKept', { slug }, { help: 'identity.askServerOperator' });

const digits = (fingerprint: string): string => fingerprint.toLowerCase().replaceAll(/[^0-9a-f]/g, '');

export interface PeersDeps extends OwnAccountDeps {
  readonly agents: Pick<AgentStore, 'list'>;
  readonly problems: Problems;
  /** An agent reads what waits at its server because the key of `slug` had changed. */
  acceptKeyChange(agentId: string, slug: string): void;
  readonly log: Log;
}

/** Other people's changed keys and contact requests. The operator decides each one. */
export class Peers {
  readonly #deps: PeersDeps;
  /** Envelopes that wait at the server because of a changed key, by sender; counted once for all accounts. */
  readonly #held = new Map<string, Set<string>>();
  readonly #asked = new Set<string>();

  constructor(deps: PeersDeps) {
    this.#deps = deps;
  }

  /** An account of this host left a message at the server because its sender's key changed. */
  held(slug: string, envelopeId: string): void {
    const ids = this.#held.get(slug) ?? new Set();
    if (!isSlug(slug) || (ids.size === 0 && this.#held.size >= mostShown)) return;
    if (ids.size < mostCounted) ids.add(envelopeId);
    this.#held.set(slug, ids);
    const about = { kind: 'person', slug, changed: true } as const;
    this.#deps.problems.set(heldId(slug), 'error', keyChanged(slug), about);
  }

  asked(slug: string): void {
    // The hint contains a command with this name, so it must be a valid slug; the number is limited.
    if (!isSlug(slug) || this.#asked.size >= mostShown) return;
    this.#asked.add(slug);
    const asks = {
      message: say('identity.wantsToWrite', { slug }),
      hint: say('identity.allowOrBlockPeer', { slug, again: slug }),
    };
    this.#deps.problems.set(contactId(slug), 'info', asks, { kind: 'person', slug, changed: false });
  }

  /** Reads the requests that arrived while the operator was offline. */
  async online(): Promise<void> {
    const own = await this.#own();
    if (!own.ok) return;
    const { fetchContacts } = await loadContacts();
    const contacts = await fetchContacts(own.value.session.self.account.client);
    for (const { slug } of contacts.ok ? (contacts.value?.waiting ?? []) : []) this.asked(slug);
  }

  async list(): Promise<Result<{ peers: PeerView[]; holdFirstContact: boolean | null }>> {
    const own = await this.#own();
    if (!own.ok) return own;
    const { session } = own.value;
    const { fetchContacts } = await loadContacts();
    const asked = await fetchContacts(session.self.account.client);
    const contacts = asked.ok ? asked.value : null;
    const changed = await this.#changed(own.value);
    const at = { serverUrl: session.identity.serverUrl, knownFingerprint: '', offeredFingerprint: '' };
    const view = (slug: string, state: PeerView['state'], messages = 0, since: number | null = null) => ({
      ...at,
      slug,
      state,
      messages,
      since,
      displayName: this.#nameOf(own.value, slug),
    });
    const peers: PeerView[] = [
      ...changed.map(({ slug, serverUrl, knownFingerprint, offeredFingerprint }) => ({
        ...view(slug, 'changed', this.#held.get(slug)?.size ?? 0),
        serverUrl,
        knownFingerprint,
        offeredFingerprint,
      })),
      ...(contacts?.waiting ?? []).map(({ slug, messages, since }) => view(slug, 'waiting', messages, since)),
      ...(contacts?.allowed ?? []).map((slug) => view(slug, 'allowed')),
      ...(contacts?.blocked ?? []).map((slug) => view(slug, 'blocked')),
    ];
    return ok({ peers, holdFirstContact: contacts?.holdsFirst ?? null });
  }

  /** `fingerprint` is the complete offered one, in any grouping. Never called without the operator (T7). */
  async accept(slug: string, fingerprint: string): Promise<Result<{ released: number }>> {
    const own = await this.#own();
    if (!own.ok) return own;
    if (this.#isOwn(own.value, slug)) return err(ownName(slug));
    const changes = (await this.#changed(own.value)).filter((one) => one.slug === slug);
    if (changes.length === 0) {
      return err(fail('not_found', 'identity.keyNotChanged', { slug }));
    }
    const change = changes.find((one) => digits(one.offeredFingerprint) === digits(fingerprint));
    if (!change) {
      return err(
        fail('untrusted', 'identity.wrongFingerprint', { slug }, { help: 'identity.compareFingerprint' }),
      );
    }
    const directory = own.value.parts.servers.directory(change.serverUrl);
    if (!directory.ok) return directory;
    if (!directory.value.identities.acceptRoot(change)) {
      return err(fail('conflict', 'identity.keyChangedAgain', { slug }));
    }
    const released = this.#held.get(slug)?.size ?? 0;
    this.#held.delete(slug);
    const { problems, agents, log } = this.#deps;
    problems.clear(heldId(slug));
    log.warn('root_accepted', { slug });
    own.value.session.self.account.lookAgain();
    for (const { id } of agents.list()) this.#deps.acceptKeyChange(id, slug);
    return ok({ released });
  }

  async allow(slug: string): Promise<Result<{ released: number }>> {
    const own = await this.#own();
    if (!own.ok) return own;
    const { allowContact } = await loadContacts();
    const allowed = await allowContact(own.value.session.self.account.client, slug);
    if (!allowed.ok) return allowed;
    this.#answered(slug);
    return ok({ released: allowed.value });
  }

  async block(slug: string): Promise<Result<Record<string, never>>> {
    const { blockContact } = await loadContacts();
    const blocked = await this.#tell((session) => blockContact(session.self.account.client, slug));
    if (blocked.ok) this.#answered(slug);
    return blocked;
  }

  async forget(slug: string): Promise<Result<Record<string, never>>> {
    const { forgetContact } = await loadContacts();
    return this.#tell((session) => forgetContact(session.self.account.client, slug));
  }

  async holdFirst(on: boolean): Promise<Result<Record<string, never>>> {
    const { holdFirstContact } = await loadContacts();
    return this.#tell((session) => holdFirstContact(session.self.account.client, on));
  }

  async #tell(
    ask: (session: OperatorSession) => Promise<Result<void>>,
  ): Promise<Result<Record<string, never>>> {
    const own = await this.#own();
    if (!own.ok) return own;
    const told = await ask(own.value.session);
    return told.ok ? ok({}) : told;
  }

  #answered(slug: string): void {
    this.#asked.delete(slug);
    this.#deps.problems.clear(contactId(slug));
  }

  /** No other key can replace that of an account of this host. */
  #isOwn({ session }: OwnAccount, slug: string): boolean {
    const agents = this.#deps.agents.list();
    return slug === session.self.slug || agents.some(({ lastGood }) => lastGood?.puffo_core.slug === slug);
  }

  #own(): Promise<Result<OwnAccount>> {
    return openOwnAccount(this.#deps, notSignedUp);
  }

  #nameOf({ parts, session }: OwnAccount, slug: string): string {
    const directory = parts.servers.directory(session.identity.serverUrl);
    return directory.ok ? directory.value.profiles.known(slug).displayName : slug;
  }

  /** Changed keys on every server where this host has an account. */
  async #changed({ parts, session }: OwnAccount): Promise<readonly Changed[]> {
    const { spokenFingerprint } = await loadFingerprints();
    const print = (root: string): string => {
      const bytes = fromBase64Url(root);
      return bytes ? spokenFingerprint(parts.crypto, bytes) : '';
    };
    const urls = this.#deps.agents
      .list()
      .map((agent) => agent.lastGood?.puffo_core)
      .flatMap((core) => (core?.slug ? [parts.currentUrl(core.server_url).replace(/\/+$/, '')] : []));
    return [...new Set([session.identity.serverUrl, ...urls])].flatMap((serverUrl) => {
      const directory = parts.servers.directory(serverUrl);
      if (!directory.ok) return [];
      return directory.value.identities.changed().map((change) => ({
        ...change,
        serverUrl,
        knownFingerprint: print(change.pinnedRoot),
        offeredFingerprint: print(change.offeredRoot),
      }));
    });
  }
}
