/** The scripted model's text: fixed lines in a voice per persona, always open about not being a model. */

export interface Voice {
  readonly hello: (name: string, reader: string) => string;
  readonly honest: string;
  readonly thanks: string;
  readonly yes: string;
  readonly no: string;
  readonly unknown: readonly string[];
  readonly planIntro: (topic: string) => string;
  readonly bye: string;
  /** After a success; `what` is a full sentence. */
  readonly did: (what: string) => string;
  /** After the operator denied it. */
  readonly denied: (what: string) => string;
}

export const scriptCommands = `Here is everything I know:

- \`help\`: this list
- \`echo TEXT\`: I say TEXT back
- \`write FILE [TEXT]\`: I write a small file into my workspace; you are asked first
- \`undo that\`: Kennel takes back what I changed in files, in this conversation; I cannot do that myself
- \`read FILE\`, \`list\`: I look into my workspace
- \`run COMMAND\`: I run a simple command such as \`ls\` or \`wc hello.md\`
- \`remember TEXT\`, \`recall\`: I keep a note for later, and find it again
- \`tell NAME TEXT\`: I send a person or agent a message; you are asked first
- \`ask AGENT TOPIC\`: I start a discussion with another agent; Kennel pauses it after a while
- \`plan TOPIC\`: I lay out a short plan
- \`work N\`: I take N small steps, one after the other; write while I work, or say \`stop\`
- \`slow\`: I answer slowly, so you can watch the dot turn yellow
- \`fail\`: I break on purpose, so you can see what a failure looks like`;

export const guideVoice: Voice = {
  hello: (name, reader) =>
    `Welcome${reader ? `, ${reader}` : ''}! I'm ${name}, a scripted helper: I follow a fixed script and there is no AI model behind me. ` +
    'Your message travelled here end-to-end encrypted, and so does this answer. ' +
    'Shall I tell you what the server sees of it? Say `yes` or `no`, or `help` for all I can do. ' +
    'To see me work with tools, say `write hello.md`.',
  honest:
    "I'm a scripted helper, not an AI model: I look for a few words and answer from a script. To talk to a real model, open my page and choose one under *Model*.",
  thanks: 'You are welcome! Say `help` if you want to try something else.',
  yes:
    'Gladly. The server knows who writes to which room, when, and how long a message is. ' +
    'The text it never sees: it was sealed on your device for the devices in this room. ' +
    'Turn on *What the server sees* above the messages and compare.',
  no: 'All right. I am here when you want something: `help` shows the list.',
  unknown: [
    "That is outside my script. I'm a scripted helper and only know a few words: try `help`.",
    "I have no line for that one. I'm scripted, so `help`, `write hello.md` or `plan` work better than questions.",
    'My script ends here. Give me a real model on my page under *Model*, and I can answer freely.',
  ],
  planIntro: (topic) => `Happy to. A first plan for ${topic}, straight from my script:`,
  bye: 'See you soon!',
  did: (what) => `${what} Anything else?`,
  denied: (what) => `All right, you said no, so ${what}. Tell me when you would like it differently.`,
};

export const checkerVoice: Voice = {
  hello: (name, reader) =>
    `${reader ? `${reader}: ` : ''}${name} here. Scripted helper, no model. I check things, briefly. Send \`help\` for the list.`,
  honest: 'Checked: I am a script. No model, no guessing.',
  thanks: 'Noted.',
  yes: 'Confirmed.',
  no: 'Understood. Nothing done.',
  unknown: [
    'No rule matches that. I am scripted; `help` lists what I check.',
    'Not in my script. Try `help`.',
    'Unrecognised, again. A scripted helper cannot answer that; `help` shows what works.',
  ],
  planIntro: (topic) => `Check list for ${topic}, from my script:`,
  bye: 'Done here.',
  did: (what) => `Done. ${what}`,
  denied: (what) => `Refused by you, respected: ${what}.`,
};

export const plainVoice: Voice = {
  hello: (name, reader) =>
    `Hello${reader ? `, ${reader}` : ''}. I'm ${name}, a scripted helper: my answers are fixed lines, there is no model behind them. Say \`help\` to see what I can do.`,
  honest:
    "I'm a scripted helper. Nothing here is written by an AI model; choose one in my settings under *Model*.",
  thanks: 'You are welcome.',
  yes: 'Good. Tell me which one: `echo`, `write`, `read`, `plan`, `slow` or `fail`?',
  no: 'Fine.',
  unknown: [
    "I'm a scripted helper and have no line for that. `help` shows what I can do.",
    'That is not in my script. Try `help`.',
  ],
  planIntro: (topic) => `A short plan for ${topic}, from my script:`,
  bye: 'Goodbye.',
  did: (what) => what,
  denied: (what) => `You said no, so ${what}.`,
};

export function voiceFor(who: string): Voice {
  if (/check|review|critic|verif/i.test(who)) return checkerVoice;
  if (/guide|host|welcome|tour/i.test(who)) return guideVoice;
  return plainVoice;
}

/** Commands that the lines suggest, as code. */
const hint = /`(help|yes|no|plan|slow|fail|(?:echo|write|read|run|remember|tell|ask)(?: [^`]*)?)`/g;

/** In a channel, a suggested command starts with the helper's name, so that it works where it is read. */
export const hintsFor =
  (name: string) =>
  (text: string): string =>
    text.replace(hint, (_, command: string) => `\`@${name} ${command}\``);

/** The voice with suggestions for a channel. */
export function inChannel(voice: Voice, name: string): Voice {
  const hints = hintsFor(name);
  return {
    ...voice,
    hello: (who, reader) => hints(voice.hello(who, reader)),
    thanks: hints(voice.thanks),
    yes: hints(voice.yes),
    no: hints(voice.no),
    unknown: voice.unknown.map(hints),
  };
}

export const planSteps = [
  'Say in one sentence what should be different at the end.',
  'List what is already there and what is missing.',
  'Do the smallest piece that shows whether it works.',
  'Look at the result together, then decide about the next piece.',
];

export const undoLine =
  'Only you can undo what I did. Write `undo that` as a direct message to me or as a reply in the thread where I did it, ' +
  'or press *Undo* beside the step.';

export const slowLine =
  'Slowly, then. Word by word, so that you can watch the yellow dot, the growing reply and the processing mark. ' +
  'A real model often takes this long. Write to me meanwhile and I answer that next, or say `stop`. And that was all.';

/** The content for `write FILE` without a text. */
export function sampleFile(name: string): string {
  const title = name.replace(/^.*\//, '').replace(/\.[^.]*$/, '') || name;
  return /\.(md|txt)$/i.test(name)
    ? `# ${title}\n\nWritten by a script, as a sample.\n`
    : `${title}: written by a script, as a sample.\n`;
}

/** The two sides of an `ask` say these in turn, until the agent brake ends it. */
export const roundLines = [
  'I would begin with the smallest piece.',
  'And how would we notice that it works?',
  'By trying it once and looking.',
  'Looking at what, exactly?',
] as const;
