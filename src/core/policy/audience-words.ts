/** Texts for audiences and sources, in questions, standing answers and prompts. */
import type { HeldBack } from './assessment.ts';
import { type Audience, roomOfSource, type Source } from './source.ts';

const words: Readonly<Record<string, string>> = {
  files: 'its files',
  notes: 'its notes',
  tasks: 'its tasks',
  workflows: 'its workflows',
  settings: 'its settings',
  unknown: 'what its other tools showed it',
};

const sourceWords = (source: Source, roomName: (roomId: string) => string): string => {
  const room = roomOfSource(source);
  return room === null ? (words[source] ?? source) : `messages of ${roomName(room)}`;
};

/** Joins with commas and a final "and": `a`, `a and b`, `a, b and c`. */
function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  if (parts.length < 2) return last;
  const others = parts.slice(0, -1).reduce((before, part) => `${before}, ${part}`);
  return `${others} and ${last}`;
}

/** Further sources are only counted. */
const mostNamed = 5;

export function sourcesText(sources: readonly Source[], roomName: (roomId: string) => string): string {
  const named = sources.slice(0, mostNamed).map((source) => sourceWords(source, roomName));
  const more = sources.length - named.length;
  return listed(more > 0 ? [...named, `${more} more`] : named);
}

export function heldBackWords(
  { roomId, outsiders }: Audience,
  sources: readonly Source[],
  roomName: (roomId: string) => string,
): Pick<HeldBack, 'what' | 'who'> {
  return { what: sourcesText(sources, roomName), who: readersText(roomName(roomId), outsiders) };
}

function readersText(room: string, outsiders: Audience['outsiders']): string {
  if (outsiders === null) return `${room} (readers unknown)`;
  return outsiders.length === 1 ? `@${outsiders[0]}` : `${room} (${outsiders.length} others)`;
}

export const shareRuleText = (what: string, where: string): string => `share ${what} with ${where}`;

/** Note for the model beside what it may read; empty if nothing was left out. */
export function leftOutText(rooms: number): string {
  if (rooms === 0) return '';
  const them = rooms === 1 ? 'it' : 'them';
  return `[${rooms} ${rooms === 1 ? 'room' : 'rooms'} left out, because not everybody who reads this conversation may read ${them}.]`;
}

export const notesLeftOut =
  '[Your notes are left out, because not everybody who reads this conversation may know them. memory_read shows them; your operator is asked before an answer goes out after that.]';
