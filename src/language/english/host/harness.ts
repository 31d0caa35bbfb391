export const harness = {
  noWall: 'This system offers no sandbox, so the agent’s program was not started.',
  notOnWindows: 'Agent programs do not run on Windows yet.',
} as const;
