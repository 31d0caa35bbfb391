import { type AppError, appError } from '../../contract/errors.ts';
import type { PeerView } from '../../contract/identity-methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { isSlug } from '../../contract/room-id.ts';
import { fromBase64Url } from '../../core/lib/bytes.ts';
import type { ChangedRoot } from '../../services/puffo/identities.ts';
import type { HostContext } from '../context.ts';
import { keyChanged } from '../key-changed.ts';
import type { OpenParts, OperatorSession } from '../operator.ts';

// What asks the server is loaded when it is asked: a start does without.
const loadContacts = () => import('../../services/puffo/contacts.ts');
const loadFingerprints = () => import('../../core/puffo/enrolment.ts');

const heldId = (slug: string): string => `held-${slug}`;
const contactId = (slug: string): string => `contact-${slug}`;

const nobody = appError('conflict', 'You are not signed up here.', {
  hint: 'Run "kennel operator sign-up", or "kennel operator enrol" for an account you have.',
});

export const notSignedUp = (): Result<never> => err(nobody);

interface Own {
  readonly parts: OpenParts;
  readonly session: OperatorSession;
}

interface Changed extends ChangedRoot {
  readonly serverUrl: string;
  readonly knownFingerprint: string;
  readonly offeredFingerprint: string;
}

/** Whom a server can have shown at once, and how many of their messages are counted: it may make up any number. */
const mostShown = 50;
const mostCounted = 10_000;

const ownName = (slug: string): AppError =>
  appError(
    'untrusted',
    `${slug} is a name of yours: its key is the one that is kept here, whatever the server says.`,
    {
      hint: 'Nothing was changed. Ask whoever runs the server what it is doing.',
    },
  );

const digits = (fingerprint: string): string => fingerprint.toLowerCase().replaceAll(/[^0-9a-f]/g, '');

/** Other people: whose key has changed, and who may write. Nothing here is decided without the operator. */
export class Peers {
  readonly #context: () => HostContext;
  /** Messages left on the server because of a changed key, by sender; each envelope once, whoever of us it is for. */
  readonly #held = new Map<string, Set<string>>();
  /** Strangers who are shown on the page of problems. */
  readonly #asked = new Set<string>();

  constructor(context: () => HostContext) {
    this.#context = context;
  }

  /** An account of ours left a message on the server: its sender's key changed. */
  held(slug: string, envelopeId: string): void {
    const ids = this.#held.get(slug) ?? new Set();
    if (!isSlug(slug) || (ids.size === 0 && this.#held.size >= mostShown)) return;
    if (ids.size < mostCounted) ids.add(envelopeId);
    this.#held.set(slug, ids);
    this.#context().problems.set(heldId(slug), 'error', keyChanged(slug));
  }

  /** A stranger waits at the server. */
  asked(slug: string): void {
    // What is shown has a command in it with that name: it must be one, and no more than people read.
    if (!isSlug(slug) || this.#asked.size >= mostShown) return;
    this.#asked.add(slug);
    this.#context().problems.set(contactId(slug), 'info', {
      message: `${slug} wants to write to you. What they wrote waits at the server.`,
      hint: `Answer with "kennel peers allow ${slug}" or "kennel peers block ${slug}".`,
    });
  }

  /** The operator is online: who has asked meanwhile? */
  async online(): Promise<void> {
    const own = await this.#own();
    if (!own.ok) return;
    const { readContacts } = await loadContacts();
    const contacts = await readContacts(own.value.session.self.account.client);
    for (const { slug } of contacts.ok ? (contacts.value?.waiting ?? []) : []) this.asked(slug);
  }

  async list(): Promise<Result<{ peers: PeerView[]; holdFirstContact: boolean | null }>> {
    const own = await this.#own();
    if (!own.ok) return own;
    const { session } = own.value;
    const { readContacts } = await loadContacts();
    const asked = await readContacts(session.self.account.client);
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

  /** `fingerprint`: the whole of the one that is offered, however it is grouped. Never done by itself (T7). */
  async accept(slug: string, fingerprint: string): Promise<Result<{ released: number }>> {
    const own = await this.#own();
    if (!own.ok) return own;
    if (this.#isOwn(own.value, slug)) return err(ownName(slug));
    const changes = (await this.#changed(own.value)).filter((one) => one.slug === slug);
    if (changes.length === 0) {
      return err(appError('not_found', `The key of ${slug} has not changed: there is nothing to accept.`));
    }
    const change = changes.find((one) => digits(one.offeredFingerprint) === digits(fingerprint));
    if (!change) {
      return err(
        appError(
          'untrusted',
          `That is not the fingerprint that is offered for ${slug}. Nothing was changed.`,
          {
            hint: 'Ask them to read out theirs ("kennel operator show"), and compare all of it.',
          },
        ),
      );
    }
    const directory = own.value.parts.servers.directory(change.serverUrl);
    if (!directory.ok) return directory;
    if (!directory.value.identities.acceptRoot(change)) {
      return err(appError('conflict', `The key of ${slug} has just changed again. Look once more.`));
    }
    const released = this.#held.get(slug)?.size ?? 0;
    this.#held.delete(slug);
    const { problems, fleet, agents, ports } = this.#context();
    problems.clear(heldId(slug));
    ports.log.warn('root_accepted', { slug });
    own.value.session.self.account.lookAgain();
    for (const { id } of agents.list()) fleet.believes(id, slug);
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
    this.#context().problems.clear(contactId(slug));
  }

  /** The account of one of ours stands and falls with its own key: no other can be taken for it. */
  #isOwn({ session }: Own, slug: string): boolean {
    const agents = this.#context().agents.list();
    return slug === session.self.slug || agents.some(({ lastGood }) => lastGood?.puffo_core.slug === slug);
  }

  async #own(): Promise<Result<Own>> {
    const session = this.#context().operator.session();
    if (!session) return err(nobody);
    const parts = await this.#context().openParts();
    return parts.ok ? ok({ parts: parts.value, session }) : parts;
  }

  #nameOf({ parts, session }: Own, slug: string): string {
    const directory = parts.servers.directory(session.identity.serverUrl);
    return directory.ok ? directory.value.profiles.known(slug).displayName : slug;
  }

  /** On every server that one of ours is on. */
  async #changed({ parts, session }: Own): Promise<readonly Changed[]> {
    const { spokenFingerprint } = await loadFingerprints();
    const print = (root: string): string => {
      const bytes = fromBase64Url(root);
      return bytes ? spokenFingerprint(parts.crypto, bytes) : '';
    };
    const urls = this.#context()
      .agents.list()
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
