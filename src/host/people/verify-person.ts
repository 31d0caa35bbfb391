import { fail } from '../../contract/fail.ts';
import type { PersonDetail, PersonView } from '../../contract/people-methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { fromBase64Url } from '../../core/lib/bytes.ts';
import type { Log } from '../../core/ports.ts';
import type { VerifiedIdentity } from '../../core/puffo/registry.ts';
import { safetyNumber } from '../../core/puffo/safety-number.ts';
import type { ServerDirectory } from '../../services/puffo/directory.ts';
import { isHandle } from '../chat/find-room.ts';
import { type OwnAccount, openOwnAccount } from '../identity/own-account.ts';
import { notSignedUp } from '../identity/peers.ts';
import { type FindPeopleDeps, findPeople, freshMs, knownPeople } from './find-people.ts';

export interface VerifyPeopleDeps extends FindPeopleDeps {
  readonly log: Log;
}

/** A person, and the key that can be compared; `identity` is `null` without one. */
interface Looked {
  readonly person: PersonView;
  readonly own: OwnAccount;
  readonly directory: ServerDirectory;
  readonly identity: VerifiedIdentity | null;
}

const nobody = (who: string) => fail('not_found', 'people.nobody', { who }, { help: 'people.findByHandle' });
/** The verified certificate decides, not the server. */
const isAgent = ({ person, identity }: Looked): boolean =>
  identity === null ? person.agent : identity.identityType === 'agent';
const onlyDigits = (text: string): string => text.replaceAll(/\D/g, '');
const withoutAt = (text: string): string => text.trim().replace(/^@/, '');

/**
 * The person of this handle, or the only one of this name. A text in the form of a handle is no name: anyone can
 * choose another person's handle as a display name (T7).
 */
function choosePerson(people: readonly PersonView[], who: string): Result<PersonView> {
  const person = people.find(({ slug }) => slug === who);
  if (person) return ok(person);
  const wanted = who.toLowerCase();
  const named = isHandle(wanted)
    ? []
    : people.filter(({ displayName }) => displayName.toLowerCase() === wanted);
  const [only] = named;
  if (only && named.length === 1) return ok(only);
  if (!only) return err(nobody(who));
  const names = named.map(({ slug }) => slug).join(', ');
  return err(
    fail('invalid_input', 'chat.ambiguousPerson', { name: who, names }, { help: 'models.useOneOf' }),
  );
}

/** Verification of the identity keys of other people (T7). */
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
      agent: isAgent(looked.value),
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
    const { slug } = person;
    if (isAgent(looked.value))
      return err(
        fail('invalid_input', 'people.agentNotVerified', { slug }, { help: 'people.verifyOperator' }),
      );
    const number = onlyDigits(this.#number(looked.value));
    const matches = identity !== null && number !== '' && number === onlyDigits(compared);
    if (!matches || !directory.identities.markVerified(slug, identity.rootPublicKey)) {
      return err(
        fail('untrusted', 'people.wrongSafetyNumber', { slug }, { help: 'people.compareSafetyNumber' }),
      );
    }
    this.#deps.log.info('person_verified', { slug });
    return ok({});
  }

  /** Asks the server nothing, because it may be away or may have deleted the person. */
  async unverify(wanted: string): Promise<Result<{ slug: string }>> {
    const who = withoutAt(wanted);
    const own = await openOwnAccount(this.#deps, notSignedUp);
    if (!own.ok) return own;
    const directory = own.value.parts.servers.directory(own.value.session.identity.serverUrl);
    if (!directory.ok) return directory;
    const person = isHandle(who) ? ok({ slug: who }) : choosePerson(knownPeople(this.#deps), who);
    if (!person.ok) return person;
    const { slug } = person.value;
    directory.value.identities.unmarkVerified(slug);
    return ok({ slug });
  }

  async #look(wanted: string): Promise<Result<Looked>> {
    const who = withoutAt(wanted);
    const own = await openOwnAccount(this.#deps, notSignedUp);
    if (!own.ok) return own;
    const found = await findPeople(this.#deps, who);
    if (!found.ok) return found;
    const chosen = choosePerson(found.value.people, who);
    if (!chosen.ok) return chosen;
    const person = chosen.value;
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

  /** Empty without a key to compare, and for an agent: its side shows no number. */
  #number(looked: Looked): string {
    const { person, own, directory, identity } = looked;
    const isChanged = directory.identities.trust()[person.slug] === 'changed';
    if (identity === null || isAgent(looked) || isChanged) return '';
    const { slug, account } = own.session.self;
    const [mine, theirs] = [account.rootPublicKey, identity.rootPublicKey].map(fromBase64Url);
    if (!mine || !theirs) return '';
    return safetyNumber(own.parts.crypto, { slug, root: mine }, { slug: person.slug, root: theirs });
  }
}
