/** What the scripted helpers say: fixed lines in a voice per persona, always open about not being a model. */

export interface Voice {
  readonly hello: (name: string, reader: string) => string;
  readonly honest: string;
  readonly thanks: string;
  readonly yes: string;
  readonly no: string;
  readonly unknown: readonly string[];
  readonly planIntro: (topic: string) => string;
  readonly bye: string;
}

export const commands = `Here is everything I know:

- \`help\`: this list
- \`echo TEXT\`: I say TEXT back
- \`write FILE\`: I draft a small file here in the chat
- \`plan TOPIC\`: I lay out a short plan
- \`slow\`: I answer slowly, so you can watch the dot turn yellow
- \`fail\`: I break on purpose, so you can see what a failure looks like`;

export const guideVoice: Voice = {
  hello: (name, reader) =>
    `Welcome${reader ? `, ${reader}` : ''}! I'm ${name}, a scripted helper: I follow a fixed script and there is no AI model behind me. ` +
    'Your message travelled here end-to-end encrypted, and so does this answer. ' +
    'Shall I tell you what the server sees of it? Say `yes` or `no`, or `help` for all I can do.',
  honest:
    "I'm a scripted helper, not an AI model: I look for a few words and answer from a script. To talk to a real model, open my page and choose one under *Runtime*.",
  thanks: 'You are welcome! Say `help` if you want to try something else.',
  yes:
    'Gladly. The server knows who writes to which room, when, and how long a message is. ' +
    'The text it never sees: it was sealed on your device for the devices in this room. ' +
    'Turn on *What the server sees* above the messages and compare.',
  no: 'All right. I am here when you want something: `help` shows the list.',
  unknown: [
    "That is outside my script. I'm a scripted helper and only know a few words: try `help`.",
    "I have no line for that one. I'm scripted, so `help`, `plan` or `echo` work better than questions.",
    'My script ends here. Give me a real model on my page under *Runtime*, and I can answer freely.',
  ],
  planIntro: (topic) => `Happy to. A first plan for ${topic}, straight from my script:`,
  bye: 'See you soon!',
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
};

export const plainVoice: Voice = {
  hello: (name, reader) =>
    `Hello${reader ? `, ${reader}` : ''}. I'm ${name}, a scripted helper: my answers are fixed lines, there is no model behind them. Say \`help\` to see what I can do.`,
  honest:
    "I'm a scripted helper. Nothing here is written by an AI model; choose one in my settings under *Runtime*.",
  thanks: 'You are welcome.',
  yes: 'Good. Tell me which one: `echo`, `write`, `plan`, `slow` or `fail`?',
  no: 'Fine.',
  unknown: [
    "I'm a scripted helper and have no line for that. `help` shows what I can do.",
    'That is not in my script. Try `help`.',
  ],
  planIntro: (topic) => `A short plan for ${topic}, from my script:`,
  bye: 'Goodbye.',
};

export const planSteps = [
  'Say in one sentence what should be different at the end.',
  'List what is already there and what is missing.',
  'Do the smallest piece that shows whether it works.',
  'Look at the result together, then decide about the next piece.',
];

export const slowLine =
  'Slowly, then. Word by word, so that you can watch the yellow dot, the growing reply and the processing mark. ' +
  'A real model often takes this long. Everything else in Kennel goes on meanwhile. And that was all.';

export function draftFile(name: string): string {
  const title = name.replace(/\.[^.]*$/, '') || name;
  const body = /\.(md|txt)$/i.test(name)
    ? `# ${title}\n\nWritten by a script, as a sample.\n`
    : `${title}: written by a script, as a sample.\n`;
  const fence = '```';
  return (
    `Here is a draft of \`${name}\`:\n\n${fence}\n${body}${fence}\n\n` +
    'I only wrote it into this chat. Saving files needs tools, and I have none here, so nothing on your disk has changed.'
  );
}
