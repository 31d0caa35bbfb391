/** The quick ask, a small window for one question to an agent. */
export const quickAsk = {
  title: 'Quick ask',
  question: '@agent question',
  another: 'Ask {name} something else',
  keys: 'Enter sends · /new starts a conversation · Escape closes',
  chooseAgent: 'Start with @ and the name of an agent.',
  unclearAgent: 'No single agent has this name. Type @ and choose one from the list.',
  typeQuestion: 'Type a question for {name}.',
  noAgents: 'No agents to ask.',
  paused: '{name} is paused and answers when you resume it.',
  resume: 'Resume',
  openChat: 'Open in Kennel',
  close: 'Close',
  answer: 'Question and answer',
} as const;
