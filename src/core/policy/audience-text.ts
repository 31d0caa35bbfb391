/** Texts for audiences and sources, in questions, standing answers and prompts. */

import type { HostText } from '../../language/host-message.ts';
import { say } from '../../language/say.ts';
import type { HeldBack } from './assessment.ts';
import { type Audience, roomOfSource, type Source } from './source.ts';

const words: Readonly<Record<string, HostText>> = {
  files: say('approvals.itsFiles'),
  notes: say('approvals.itsNotes'),
  tasks: say('approvals.itsTasks'),
  workflows: say('approvals.itsWorkflows'),
  settings: say('approvals.itsSettings'),
  unknown: say('approvals.itsOtherTools'),
};

const sourceWords = (source: Source, roomName: (roomId: string) => string): HostText => {
  const room = roomOfSource(source);
  return room === null ? (words[source] ?? source) : say('approvals.messagesOf', { room: roomName(room) });
};

/** Further sources are only counted. */
const mostNamed = 5;

export function sourcesText(sources: readonly Source[], roomName: (roomId: string) => string): HostText {
  const named = sources.slice(0, mostNamed).map((source) => sourceWords(source, roomName));
  const more = sources.length - named.length;
  const all = more > 0 ? [...named, say('approvals.more', { count: more })] : named;
  return say('approvals.sources', { sources: all });
}

export function heldBackWords(
  { roomId, outsiders }: Audience,
  sources: readonly Source[],
  roomName: (roomId: string) => string,
): Pick<HeldBack, 'what' | 'who'> {
  return { what: sourcesText(sources, roomName), who: readersText(roomName(roomId), outsiders) };
}

function readersText(room: string, outsiders: Audience['outsiders']): HostText {
  if (outsiders === null) return say('approvals.readersUnknown', { room });
  return outsiders.length === 1
    ? `@${outsiders[0]}`
    : say('approvals.otherReaders', { room, count: outsiders.length });
}

export const shareRuleText = (what: HostText, where: HostText): HostText =>
  say('approvals.shareRule', { what, where });

/** Note for the model beside what it may read; empty if nothing was left out. */
export function leftOutText(rooms: number): string {
  if (rooms === 0) return '';
  const them = rooms === 1 ? 'it' : 'them';
  return `[${rooms} ${rooms === 1 ? 'room' : 'rooms'} left out, because not everybody who reads this conversation may read ${them}.]`;
}

export const notesLeftOut =
  '[Your notes are left out, because not everybody who reads this conversation may know them. memory_read shows them; your operator is asked before an answer goes out after that.]';
