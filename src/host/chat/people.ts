import type { RoomsSnapshot } from '../../services/puffo/account-types.ts';

export interface ChatPerson {
  readonly slug: string;
  readonly displayName: string;
  readonly agent: boolean;
}

export interface People {
  /** The cached person; requests missing data in the background and then calls `onLearned`. */
  get(slug: string): ChatPerson;
  learn(person: ChatPerson): void;
  learnRooms(rooms: RoomsSnapshot): void;
  all(): Iterable<ChatPerson>;
  clear(): void;
}

/** Names for the chat: own agents and room members at once, strangers after the server's answer. */
export function createPeople(deps: {
  readonly ask: (slug: string) => Promise<ChatPerson | null>;
  readonly onLearned: () => void;
}): People {
  const known = new Map<string, ChatPerson>();
  const asked = new Set<string>();

  const learn = (person: ChatPerson): void => {
    if (person.displayName !== '') known.set(person.slug, person);
  };

  const askAbout = (slug: string): void => {
    if (asked.has(slug)) return;
    asked.add(slug);
    void deps.ask(slug).then((person) => {
      if (!person || person.displayName === '' || person.displayName === slug) return;
      learn(person);
      deps.onLearned();
    });
  };

  return {
    get(slug) {
      const person = known.get(slug);
      if (person) return person;
      askAbout(slug);
      return { slug, displayName: slug, agent: false };
    },
    learn,
    learnRooms(rooms) {
      for (const { members } of rooms.channels) for (const member of members) learn(member);
    },
    all: () => known.values(),
    clear() {
      known.clear();
      asked.clear();
    },
  };
}
