/**
 * Chooses the scripted model's next step: a pure function of the system prompt, the conversation and the
 * offered tools, so that the same chat always gets the same reply. It wakes another agent only on request.
 */
import { readIdentityNote } from '../../../core/agents/identity-note.ts';
import { systemSlug } from '../../../core/agents/introduction.ts';
import { type ReadBlock, readLastBlock } from '../../../core/agents/user-block.ts';
import { imageWords } from '../../../core/models/hand-off.ts';
import { type Message, type ToolResultMessage, transcriptText } from '../../../core/models/messages.ts';
import type { ModelContext } from '../../../core/models/model-ports.ts';
import {
  hintsFor,
  inChannel,
  planSteps,
  roundLines,
  scriptCommands,
  slowLine,
  undoLine,
  type Voice,
  voiceFor,
} from './lines.ts';
import { failureLine, quiet, readCommand, type ScriptCommand } from './script-command.ts';
import { addressee, type Deed, deedFor, type ScriptedCall, usageOf } from './scripted-calls.ts';
import { taskMove } from './task-script.ts';

export interface ScriptedAnswer {
  readonly text: string;
  readonly calls: readonly ScriptedCall[];
  /** ms between words. */
  readonly wordMs: number;
  /** ms before the tool calls. */
  readonly pauseMs: number;
  readonly fails: boolean;
}

const wordMs = 25;
const slowWordMs = 200;
/** Between two steps of `work`: slow enough to watch, steer and stop. */
const stepMs = 400;

const say = (text: string): ScriptedAnswer => ({ text, calls: [], wordMs, pauseMs: 0, fails: false });

export function scriptedAnswer(context: ModelContext): ScriptedAnswer {
  const persona = readIdentityNote(context.system);
  const known = voiceFor(`${persona.displayName} ${persona.role}`);
  const task = taskMove(context, known);
  if (task) return { ...say(task.text), calls: task.call ? [task.call] : [], fails: task.fails };
  const at = context.messages.findLastIndex((message) => message.role === 'user');
  const asked = context.messages[at];
  const block = readLastBlock(asked ? spoken(asked) : '');
  const voice = block.inChannel ? inChannel(known, persona.displayName) : known;
  const results = context.messages.slice(at + 1).filter((message) => message.role === 'toolResult');
  const command = readCommand(block.text);
  const deed = deedFor(command.word, command.rest, voice);
  if (deed) return act(deed, { voice, results, context });
  const scene: Scene = {
    voice,
    name: persona.displayName || 'a helper',
    block,
    command,
    turns: context.messages.filter((message) => message.role === 'assistant').length,
  };
  const answer = speak(scene);
  const unsaid = interrupted(context.messages.slice(0, at), voice);
  return unsaid === '' ? answer : { ...answer, text: `${unsaid}\n\n${answer.text}` };
}

/** The text alone: image placeholders are not written by the sender. */
const spoken = (message: Message): string => transcriptText(message).replaceAll(imageWords, '').trimEnd();

interface Stage {
  readonly voice: Voice;
  readonly results: readonly ToolResultMessage[];
  readonly context: ModelContext;
}

function act(deed: Deed, { voice, results, context }: Stage): ScriptedAnswer {
  if (!context.tools.some((tool) => tool.name === deed.call.name)) {
    return say(
      `That needs the tool \`${deed.call.name}\`, and I do not have it. You can give it to me on my page under *Tools*.`,
    );
  }
  const failed = results.find((result) => result.isError);
  if (failed) return say(failureLine(deed, failed, voice));
  if (results.length >= deed.times) return say(deed.done(results));
  const isFirst = results.length === 0;
  return { ...say(isFirst ? deed.before : ''), calls: [deed.call], pauseMs: isFirst ? 0 : stepMs };
}

/** Reports a command whose result arrived just before the next message. */
function interrupted(before: readonly Message[], voice: Voice): string {
  if (before.at(-1)?.role !== 'toolResult') return '';
  const at = before.findLastIndex((message) => message.role === 'user');
  const asked = before[at];
  if (!asked) return '';
  const command = readCommand(readLastBlock(spoken(asked)).text);
  const deed = deedFor(command.word, command.rest, voice);
  const results = before.slice(at + 1).filter((message) => message.role === 'toolResult');
  const failed = results.find((result) => result.isError);
  if (!deed) return '';
  if (failed) return failureLine(deed, failed, voice);
  if (results.length >= deed.times) return deed.done(results);
  return `You wrote in the middle of it, after ${results.length} of ${deed.times} steps; I stop there.`;
}

interface Scene {
  readonly voice: Voice;
  readonly name: string;
  readonly block: ReadBlock;
  readonly command: ScriptCommand;
  readonly turns: number;
}

function speak(scene: Scene): ScriptedAnswer {
  const { voice, name, block, command } = scene;
  const { word, rest } = command;
  const usage = Object.hasOwn(usageOf, word) ? usageOf[word] : undefined;
  const hints = block.inChannel ? hintsFor(name) : (text: string) => text;
  if (usage !== undefined) return say(hints(usage));
  switch (word) {
    case 'help':
      return say(`${voice.honest}\n\n${block.inChannel ? helpInChannel(name) : ''}${scriptCommands}`);
    case 'echo':
      return say(rest === '' ? 'There is nothing to echo: put some words after `echo`.' : quiet(rest));
    case 'plan':
      return say(plan(voice, quiet(rest)));
    case 'slow':
      return { ...say(slowLine), wordMs: slowWordMs };
    case 'fail':
      return { ...say('I begin a sentence, and then'), fails: true };
    case 'ask':
      return say(ask(rest));
    case 'undo':
      return say(undoLine);
    case 'round':
      return say(nextRound(scene));
    default:
      return say(smallTalk(scene));
  }
}

const helpInChannel = (name: string): string =>
  `In a channel, begin with my name: \`@${name} write hello.md\`.\n\n`;

/** Starts a discussion: the only line that mentions another agent, because the user asked for it. */
function ask(rest: string): string {
  // The command itself mentions this agent as the one to ask, so it waits for the question.
  if (rest.startsWith('@you(')) return '[SILENT]';
  const to = addressee(rest);
  if (to === '') return 'Which agent? For example `ask checker about lunch`.';
  const topic = quiet(rest.slice(to.length).trim()) || 'the plan';
  return `@${to.replace('@', '')} round 1: what do you say to this: ${topic}`;
}

/** Answers an agent that counts rounds; a person who says "round" gets no round. */
function nextRound({ block, command }: Scene): string {
  const round = Number.parseInt(command.rest, 10);
  if (!block.senderAgent || block.senderSlug === '' || Number.isNaN(round)) {
    return 'Rounds are for agents: start one with `ask AGENT TOPIC`.';
  }
  return `@${block.senderSlug} round ${round + 1}: ${roundLines[round % roundLines.length]}`;
}

function smallTalk({ voice, name, block, command, turns }: Scene): string {
  const { said } = command;
  // For an introduction requested by Kennel itself, the greeting has no name.
  const hello = (): string => voice.hello(name, block.senderSlug === systemSlug ? '' : block.senderName);
  if (
    said === '' ||
    /^(hi|hello|hey|hallo|good (morning|evening|day)|greetings|moin|introduce yourself)\b/i.test(said)
  ) {
    return hello();
  }
  if (/\b(are you|who are|what are|is this)\b.*\b(you|ai|bot|model|real|human|person)\b/i.test(said)) {
    return voice.honest;
  }
  if (/^(yes|yep|sure|ok|okay|please|ja)(,? (please|bitte|thanks))?[\s.!]*$/i.test(said)) return voice.yes;
  if (/^(no|nope|not now|nein)(,? (thanks|thank you|danke))?[\s.!]*$/i.test(said)) return voice.no;
  if (/\b(thanks|thank you|danke|merci)\b/i.test(said)) return voice.thanks;
  if (/^(bye|goodbye|see you|tschüss)\b/i.test(said)) return voice.bye;
  if (turns === 0 && block.senderSlug === systemSlug) return hello();
  return voice.unknown[turns % voice.unknown.length] ?? voice.honest;
}

function plan(voice: Voice, topic: string): string {
  const steps = planSteps.map((step, index) => `${index + 1}. ${step}`).join('\n');
  return `${voice.planIntro(topic === '' ? 'anything' : topic)}\n\n${steps}`;
}
