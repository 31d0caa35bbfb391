export const cliLogs = {
  listAgents: 'Run "kennel agent list" for all of them.',
  noAgent: "There is no agent '{agent}', and no line of the log is about one.",
  noLines: 'The log has no such lines yet.',
} as const;
