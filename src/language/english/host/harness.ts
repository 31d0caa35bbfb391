export const harness = {
  noBridge:
    'The sandbox needs Node.js ("node" in /usr/bin or /usr/local/bin) to reach the model, so the agent’s program was not started.',
  noWall: 'This system offers no sandbox, so the agent’s program was not started.',
  noCanary: 'This version of Kennel has no test for {title} yet.',
  noSession: 'This agent has no session with {title} yet. Write to it first.',
  noTerminal: '{title} cannot go on with this session in a terminal.',
  noTerminalOfKind: 'An agent of the kind {kind} has no program that runs in a terminal.',
  noTerminalInContainer: 'A program in a container cannot be used in a terminal yet.',
  inTerminal: 'Another terminal has the session of this agent.',
  noOutput: 'No program of this agent ran since Kennel was started.',
  unknownProcess: 'This program has already ended.',
  notOnWindows: 'Agent programs do not run on Windows yet.',
} as const;
