/** German help of the command line. A command loads only the part that it belongs to. */
export const germanHelp = {
  general: async () => (await import('./help/general.ts')).general,
  agents: async () => (await import('./help/agents.ts')).agents,
  skills: async () => (await import('./help/skills.ts')).skills,
  memory: async () => (await import('./help/memory.ts')).memory,
  chat: async () => (await import('./help/chat.ts')).chat,
  spaces: async () => (await import('./help/spaces.ts')).spaces,
  people: async () => (await import('./help/people.ts')).people,
  tasks: async () => (await import('./help/tasks.ts')).tasks,
  schedules: async () => (await import('./help/schedules.ts')).schedules,
  puppy: async () => (await import('./help/puppy.ts')).puppy,
  work: async () => (await import('./help/work.ts')).work,
  approvals: async () => (await import('./help/approvals.ts')).approvals,
  server: async () => (await import('./help/server.ts')).server,
  system: async () => (await import('./help/system.ts')).system,
} as const;
