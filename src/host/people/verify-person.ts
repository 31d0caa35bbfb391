import { fail } from '../../contract/fail.ts';
import type { PersonDetail, PersonView } from '../../contract/people-methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromBase64Url } from '../../core/lib/bytes.ts';
import type { Log } from '../../core/ports.ts';
import type { VerifiedIdentity } from '../../core/puffo/registry.ts';
import { safetyNumber } from '../../core/puffo/safety-number.ts';
import type { AgentStore } from '../../services/agent-store/agent-types.ts';
import type { ServerDirectory } from '../../services/puffo/directory.ts';
import { type OwnAccount, openOwnAccount } from '../identity/own-account.ts';
import { notSignedUp } from '../identity/peers.ts';
import { type FindPeopleDeps, findPeople, freshMs } from './find-people.ts';

export interface VerifyPeopleDeps extends FindPeopleDeps {
  readonly agents: Pick<AgentStore, 'list'>;
  readonly log: Log;
}

/** A person, and the key that can be compared; `identity` is `null` if there is none. */
interface Looked {
  readonly person: PersonView;
  readonly own: OwnAccount;
  readonly directory: ServerDirectory;
  readonly identity: VerifiedIdentity | null;
}

const nobody = (who: string) => fail('not_found', 'people.nobody', { who }, { help: 'people.findByHandle' });
const onlyDigits = (text: string): string => text.replaceAll(/\D/g, '');

/** Verification of the identity keys of other people and their agents (T7). */
export class VerifyPeople {
  readonly #deps: VerifyPeopleDeps;

  constructor(deps: VerifyPeopleDeps) {
    this.#deps = deps;
  }

  async show(who: string): Promise<Result<PersonDetail>> {
    const looked = await this.#look(who);
    if (!looked.ok) return looked;
    const { person, directory } = looked.value;
    const { identities, profiles } = directory;
    return ok({
      ...person,
      role: profiles.known(person.slug).role,
      trust: identities.trust()[person.slug] ?? null,
      safetyNumber: this.#number(looked.value),
      verifiedAt: identities.verifiedAt(person.slug),
    });
  }

  /** `compared` is the number that the operator saw, in any grouping. */
  async verify(who: string, compared: string): Promise<Result<Record<string, never>>> {
    const looked = await this.#look(who);
    if (!looked.ok) return looked;
    const { person, directory, identity } = looked.value;
    const number = onlyDigits(this.#number(looked.value));
    const matches = identity !== null && number !== '' && number === onlyDigits(compared);
    if (!matches || !directory.identities.markVerified(person.slug, identity.rootPublicKey)) {
      const { slug } = person;
      return err(
        fail('untrusted', 'people.wrongSafetyNumber', { slug }, { help: 'people.compareSafetyNumber' }),
      );
    }
    this.#deps.log.info('person_verified', { slug: person.slug });
    return ok({});
  }

  async unverify(who: string): Promise<Result<Record<string, never>>> {
    const looked = await this.#look(who);
    if (!looked.ok) return looked;
    looked.value.directory.identities.unmarkVerified(looked.value.person.slug);
    return ok({});
  }

  /** A name counts only if it belongs to one person, because anyone can choose another person's. */
  async #look(wanted: string): Promise<Result<Looked>> {
    const who = wanted.trim().replace(/^@/, '');
    const own = await openOwnAccount(this.#deps, notSignedUp);
    if (!own.ok) return own;
    const found = await findPeople(this.#deps, who);
    if (!found.ok) return found;
    const { people } = found.value;
    const named = people.filter(({ displayName }) => displayName.toLowerCase() === who.toLowerCase());
    const person = people.find(({ slug }) => slug === who) ?? (named.length === 1 ? named[0] : undefined);
    if (!person && named.length > 1) {
      const names = named.map(({ slug }) => slug).join(', ');
      return err(
        fail('invalid_input', 'chat.ambiguousPerson', { name: who, names }, { help: 'models.useOneOf' }),
      );
    }
    if (!person) return err(nobody(who));
    const directory = own.value.parts.servers.directory(own.value.session.identity.serverUrl);
    if (!directory.ok) return directory;
    const identity = await directory.value.identities.verified(person.slug, freshMs);
    if (!identity.ok && identity.error.kind === 'unavailable') return err(identity.error.error);
    return ok({
      person,
      own: own.value,
      directory: directory.value,
      identity: identity.ok ? identity.value : null,
    });
  }

  /** Empty if there is no key to compare. An own agent's key is stored here: nobody can substitute it. */
  #number({ person, own, directory, identity }: Looked): string {
    const isOwn = this.#deps.agents.list().some(({ lastGood }) => lastGood?.puffo_core.slug === person.slug);
    const isChanged = directory.identities.trust()[person.slug] === 'changed';
    if (isOwn || isChanged || identity === null) return '';
    const { slug, account } = own.session.self;
    const [mine, theirs] = [account.rootPublicKey, identity.rootPublicKey].map(fromBase64Url);
    if (!mine || !theirs) return '';
    return safetyNumber(own.parts.crypto, { slug, root: mine }, { slug: person.slug, root: theirs });
  }
}
