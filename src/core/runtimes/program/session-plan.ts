/** Messages for a session of an agent's program: those of the thread that it does not have yet. */
import { z } from 'zod';
import { systemMessageToken } from '../../agents/redaction.ts';
import { withoutHeads } from '../../agents/user-block.ts';
import {
  type NoteMessage,
  type TranscriptMessage,
  transcriptText,
  type UserContent,
} from '../../models/messages.ts';
import type { TranscriptEntry } from '../../models/transcript-store.ts';

const sessionDetails = z.object({ session: z.string().min(1), sessionId: z.string().min(1) });

/** Marks that everything before it was given to this session. Kept in the transcript, never sent to a model. */
export const sessionNote = (session: string, sessionId: string, timestamp: number): NoteMessage => ({
  role: 'note',
  content: [],
  details: { session, sessionId },
  timestamp,
});

const sessionOf = (message: TranscriptMessage): z.output<typeof sessionDetails> | null =>
  message.role === 'note' ? (sessionDetails.safeParse(message.details).data ?? null) : null;

export interface SessionPlan {
  /** The session to resume, or `null` for a new one. */
  readonly sessionId: string | null;
  readonly content: readonly UserContent[];
}

/** Most code points of an earlier conversation in the first message of a new session. */
const historyLimit = 60_000;

const interrupted = `${systemMessageToken} This turn was cut off in the middle. Its messages follow again; you may know them already. Go on from where you were, and check what an interrupted call has done before you repeat it.`;

/** `session`: the program that gets the messages. `firstSeq`: first entry of the turn. */
export function planSession(
  session: string,
  entries: readonly TranscriptEntry[],
  firstSeq: number,
): SessionPlan {
  const at = entries.findLastIndex(({ message }) => sessionOf(message) !== null);
  const note = entries[at];
  const known = note ? sessionOf(note.message) : null;
  const fresh = entries.slice(at + 1).flatMap(({ message }) => userContent(message));
  // A session that is older than the answer of another program lacks that answer.
  if (known?.session !== session) return newSession(entries, firstSeq);
  const { sessionId } = known;
  if (fresh.length > 0) return { sessionId, content: fresh };
  return { sessionId, content: [{ type: 'text', text: interrupted }, ...turnContent(entries, firstSeq)] };
}

/** Used also for a session that the program has lost. */
export function newSession(entries: readonly TranscriptEntry[], firstSeq: number): SessionPlan {
  const earlier = entries.filter(({ seq }) => seq < firstSeq).map(({ message }) => message);
  const history = historyText(earlier);
  const content = turnContent(entries, firstSeq);
  return {
    sessionId: null,
    content: history === '' ? content : [{ type: 'text', text: history }, ...content],
  };
}

const userContent = (message: TranscriptMessage): readonly UserContent[] =>
  message.role === 'user' ? message.content : [];

const turnContent = (entries: readonly TranscriptEntry[], firstSeq: number): readonly UserContent[] =>
  entries.filter(({ seq }) => seq >= firstSeq).flatMap(({ message }) => userContent(message));

function historyText(messages: readonly TranscriptMessage[]): string {
  const lines = messages.flatMap((message) => {
    const text = transcriptText(message);
    if (text === '') return [];
    if (message.role === 'user') return [text];
    // Own and other programs' text could otherwise imitate a message of a person.
    return message.role === 'assistant' ? [`You answered:\n${withoutHeads(text)}`] : [];
  });
  const whole = lines.join('\n\n');
  if (whole === '') return '';
  const cut = whole.length > historyLimit ? `…${whole.slice(-historyLimit)}` : whole;
  return `${systemMessageToken} The conversation so far, for information; it has been answered:\n\n${cut}\n\n${systemMessageToken} End of the conversation so far. What follows is new.`;
}
