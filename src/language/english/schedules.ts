/** What starts by itself: at a time, again and again, or when a file changes. */
export const schedules = {
  emptyTitle: 'Nothing starts by itself',
  empty:
    'A schedule starts a task or a workflow for you: once at a time you choose, again and again, or whenever a file changes.',
} as const;
