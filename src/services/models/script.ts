/**
 * Chooses the scripted helper's answer: a pure function of the system prompt and the conversation, so that the same
 * chat always gets the same words. It never mentions anybody with an @, so it wakes no other agent by itself.
 */
import { readIdentityNote } from '../../core/agents/identity-note.ts';
import { readLastBlock } from '../../core/agents/user-block.ts';
import type { ModelMessage } from '../../core/ports.ts';
import {
  checkerVoice,
  commands,
  draftFile,
  guideVoice,
  plainVoice,
  planSteps,
  slowLine,
  type Voice,
} from './script-lines.ts';

export interface ScriptedAnswer {
  readonly text: string;
  /** ms between words. */
  readonly wordMs: number;
  readonly fails: boolean;
}

const wordMs = 25;
const slowWordMs = 200;

export function scriptedAnswer(system: string, messages: readonly ModelMessage[]): ScriptedAnswer {
  const persona = readIdentityNote(system);
  const last = readLastBlock(messages.at(-1)?.content ?? '');
  const voice = voiceFor(`${persona.displayName} ${persona.role}`);
  const said = withoutAddress(last.text);
  const name = persona.displayName || 'a helper';
  const answer = (text: string): ScriptedAnswer => ({ text, wordMs, fails: false });
  const word = /^[\p{L}\d]+/u.exec(said.toLowerCase())?.[0] ?? '';
  const rest = said.slice(word.length).replace(/^[\s:,]+/, '');
  switch (word) {
    case 'help':
      return answer(`${voice.honest}\n\n${commands}`);
    case 'echo':
      return answer(rest === '' ? 'There is nothing to echo: put some words after `echo`.' : quiet(rest));
    case 'write':
      return answer(rest === '' ? 'Which file? For example `write notes.md`.' : draftFile(fileName(rest)));
    case 'plan':
      return answer(plan(voice, quiet(rest)));
    case 'slow':
      return { text: slowLine, wordMs: slowWordMs, fails: false };
    case 'fail':
      return { text: 'I begin a sentence, and then', wordMs, fails: true };
    default:
      return answer(smallTalk({ voice, name, reader: last.senderName, said, turns: ownTurns(messages) }));
  }
}

interface Talk {
  readonly voice: Voice;
  readonly name: string;
  readonly reader: string;
  readonly said: string;
  readonly turns: number;
}

function smallTalk(talk: Talk): string {
  const { voice, said } = talk;
  if (said === '' || /^(hi|hello|hey|hallo|good (morning|evening|day)|greetings|moin)\b/i.test(said)) {
    return voice.hello(talk.name, talk.reader);
  }
  if (/\b(are you|who are|what are|is this)\b.*\b(you|ai|bot|model|real|human|person)\b/i.test(said)) {
    return voice.honest;
  }
  if (/^(yes|yep|sure|ok|okay|please|ja)\b/i.test(said)) return voice.yes;
  if (/^(no|nope|not now|nein)\b/i.test(said)) return voice.no;
  if (/\b(thanks|thank you|danke|merci)\b/i.test(said)) return voice.thanks;
  if (/^(bye|goodbye|see you|tschüss)\b/i.test(said)) return voice.bye;
  if (talk.turns === 0) return voice.hello(talk.name, talk.reader);
  return voice.unknown[(talk.turns - 1) % voice.unknown.length] ?? voice.honest;
}

function plan(voice: Voice, topic: string): string {
  const steps = planSteps.map((step, index) => `${index + 1}. ${step}`).join('\n');
  return `${voice.planIntro(topic === '' ? 'anything' : topic)}\n\n${steps}`;
}

function voiceFor(who: string): Voice {
  if (/check|review|critic|verif/i.test(who)) return checkerVoice;
  if (/guide|host|welcome|tour/i.test(who)) return guideVoice;
  return plainVoice;
}

const ownTurns = (messages: readonly ModelMessage[]): number =>
  messages.filter((message) => message.role === 'assistant').length;

/** The words after the mentions that address somebody at the start. */
const withoutAddress = (text: string): string =>
  text.replace(/^([\s,:;.!]|@you\([A-Za-z0-9_-]+\)|@[A-Za-z0-9][A-Za-z0-9_-]*)+/, '').trim();

/** An echoed @ would wake other agents: it keeps its look, but no longer mentions anybody. */
const quiet = (text: string): string => text.replaceAll('@', '@\u200b').replaceAll('[SILENT]', '[silent]');

const fileName = (text: string): string =>
  quiet(text.split(/\s/)[0] ?? '')
    .replaceAll(/[`\\]/g, '')
    .slice(0, 100) || 'notes.md';
