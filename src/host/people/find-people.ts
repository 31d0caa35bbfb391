import type { RoomsView } from '../../contract/model.ts';
import { mostPeople, type PersonView } from '../../contract/people-methods.ts';
import { err, ok, type Result } from '../../contract/result.ts';
import { isSlug } from '../../contract/room-id.ts';
import { isHandle } from '../chat/find-room.ts';
import type { ChatPerson } from '../chat/people.ts';
import { type OwnAccount, type OwnAccountDeps, openOwnAccount } from '../identity/own-account.ts';
import { notSignedUp } from '../identity/peers.ts';

export interface FindPeopleDeps extends OwnAccountDeps {
  rooms(): RoomsView;
  /** People whose names the chat has learned, whether they share a room or not. */
  known(): Iterable<ChatPerson>;
}

/** ms for which a verified identity counts as current. */
export const freshMs = 60_000;

interface Found {
  readonly people: PersonView[];
  readonly total: number;
}

/** Everyone who shares a room with the operator, and everyone known by name. The operator is not listed. */
export const knownPeople = (deps: FindPeopleDeps): PersonView[] => [...peopleBySlug(deps).values()];

function peopleBySlug({ rooms, known }: FindPeopleDeps): Map<string, PersonView> {
  const view = rooms();
  const people = new Map<string, PersonView>();
  const note = ({ slug, displayName, agent }: ChatPerson, roomId: string | null): void => {
    if (slug === view.self) return;
    const before = people.get(slug);
    const shared = before?.rooms ?? [];
    people.set(slug, { slug, displayName, agent, rooms: roomId === null ? shared : [...shared, roomId] });
  };
  for (const person of known()) note(person, null);
  for (const room of Object.values(view.rooms)) for (const member of room.members) note(member, room.id);
  return people;
}

/** 0 for the handle itself, 1 for a name or handle that starts with the text, 2 for others that contain it. */
function rankOf({ slug, displayName }: PersonView, wanted: string): number {
  const names = [slug.toLowerCase(), displayName.toLowerCase()];
  if (names[0] === wanted) return 0;
  return names.some((name) => name.startsWith(wanted)) ? 1 : 2;
}

const order = (a: string, b: string): number => Number(a > b) - Number(a < b);
const byName = (a: PersonView, b: PersonView): number =>
  order(a.displayName.toLowerCase(), b.displayName.toLowerCase()) || order(a.slug, b.slug);

/** The owner of a handle with a verified identity; `null` if the server knows none. */
async function lookUp({ parts, session }: OwnAccount, slug: string): Promise<Result<PersonView | null>> {
  const directory = parts.servers.directory(session.identity.serverUrl);
  if (!directory.ok) return directory;
  const { identities, profiles } = directory.value;
  const identity = await identities.verified(slug, freshMs);
  if (!identity.ok && identity.error.kind === 'unavailable') return err(identity.error.error);
  // A changed key is a person, too: the chat holds the messages and says why.
  if (!identity.ok && identity.error.kind !== 'root_changed') return ok(null);
  const { displayName, agent } = await profiles.person(slug);
  return ok({ slug, displayName, agent, rooms: [] });
}

/** Finds people by name among those known to the operator, and anyone on the server by handle. */
export async function findPeople(deps: FindPeopleDeps, text: string): Promise<Result<Found>> {
  const own = await openOwnAccount(deps, notSignedUp);
  if (!own.ok) return own;
  const people = peopleBySlug(deps);
  const handle = text.trim().replace(/^@/, '');
  if (isHandle(handle) && isSlug(handle) && !people.has(handle) && handle !== own.value.session.self.slug) {
    const stranger = await lookUp(own.value, handle);
    if (!stranger.ok) return stranger;
    if (stranger.value) people.set(handle, stranger.value);
  }
  const wanted = handle.toLowerCase();
  const words = wanted.split(/[\s@]+/).filter((word) => word !== '');
  const found = [...people.values()]
    .filter(({ slug, displayName }) => {
      const names = `${slug} ${displayName}`.toLowerCase();
      return words.every((word) => names.includes(word));
    })
    .sort((a, b) => rankOf(a, wanted) - rankOf(b, wanted) || byName(a, b));
  return ok({ people: found.slice(0, mostPeople), total: found.length });
}
