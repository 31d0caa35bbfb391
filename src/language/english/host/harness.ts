export const harness = {
  noBridge:
    'The sandbox needs Node.js ("node" in /usr/bin or /usr/local/bin) to reach the model, so the agent’s program was not started.',
  noWall: 'This system offers no sandbox, so the agent’s program was not started.',
  noCanary: 'This version of Kennel has no test for {title} yet.',
  noOutput: 'No program of this agent ran since Kennel was started.',
  unknownProcess: 'This program has already ended.',
  notOnWindows: 'Agent programs do not run on Windows yet.',
} as const;
