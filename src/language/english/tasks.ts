/** What agents are to do: the board, one task, the box for a new one. */
export const tasks = {
  emptyTitle: 'No tasks yet',
  empty:
    'A task is something an agent does by itself: you write down the goal, it works on it step by step, and asks you only when a rule says so. It survives restarts, and you can pause it between two steps.',
  named: 'Task {number}',
} as const;
