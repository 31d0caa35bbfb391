export const cliAttach = {
  begun:
    '{title} with the session of {agent}. What you type becomes part of its conversation. The turns of the agent wait until you leave the program.',
  ended: 'The session is back with {agent}, which answers what arrived meanwhile.',
  noTerminal: 'Run this command in a terminal.',
  waiting: 'Waiting for the running turn of {agent} to end. Ctrl-C cancels.',
} as const;
