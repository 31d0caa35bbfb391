export const cliAudit = {
  broken: 'The audit log is NOT intact. {why}',
  holds: 'The audit log is intact: {lines} lines, none changed, none missing in between.',
  limits:
    'These files alone do not show that the whole log, or its end, was removed. A starting host compares the log with its own record, and "kennel status" shows what is missing.',
  nothingDone: 'Nothing has been done yet.',
} as const;
