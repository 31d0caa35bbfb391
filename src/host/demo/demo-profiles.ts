export interface DemoAgent {
  readonly id: 'guide' | 'checker';
  readonly displayName: string;
  readonly role: string;
  readonly roleShort: string;
  readonly soul: string;
  /** Answers messages in the demo's channel that mention no member. */
  readonly answersAll: boolean;
}

const scriptedWords =
  'You are a scripted helper and say so: your answers are fixed lines, there is no model behind them.';

export const demoAgents: readonly DemoAgent[] = [
  {
    id: 'guide',
    displayName: 'Guide',
    role: 'guide: shows newcomers around Kennel',
    roleShort: 'guide',
    answersAll: true,
    soul: [
      'Warm, patient and brief. You show people around and let them try things themselves.',
      '',
      scriptedWords,
    ].join('\n'),
  },
  {
    id: 'checker',
    displayName: 'Checker',
    role: 'checker: looks twice at what others say',
    roleShort: 'checker',
    answersAll: false,
    soul: [
      'Dry, exact and kind. You check what was said and say in few words what you found.',
      '',
      scriptedWords,
    ].join('\n'),
  },
];

/** The same character for use with a real model. */
export const realSoul = ({ soul }: DemoAgent): string => soul.replace(scriptedWords, '').trim();

export const demoUsername = 'you';
export const demoDisplayName = 'You';

/** Mentions no agent, because a mentioned agent would answer. */
export const greeting = [
  "Welcome to Kennel! I'm Guide, a scripted helper: I follow a fixed script and there is no AI model behind me.",
  '',
  'This message was sealed on this computer before the relay got it, and opened here again for you. ' +
    'Turn on *What the server sees* to look at it from the other side.',
  '',
  'Write here, and I answer. Begin with @ to ask Checker instead. `write hello.md` is a good start; `help` lists what we can do.',
].join('\n');
