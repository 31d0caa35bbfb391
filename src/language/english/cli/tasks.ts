export const cliTasks = {
  all: '… "kennel task {command} {id}" has all of it.',
  cancelling: 'Status: cancelled after this step',
  done: 'Status: done',
  error: 'Status: error',
  errorBecause: 'Status: error. {why}',
  failed: 'It failed: {why}',
  keptWork: '{why} What it did is kept; "kennel task retry {id}" goes on with it.',
  paused: 'Status: paused. "kennel task resume {id}" lets it go on.',
  pausing: 'Status: pausing after this step',
  stepUnknown:
    'Status: waiting for you. Nobody knows whether step {step} happened: look, then say "kennel task settle {id} {step} yes" or "no".',
  waitsForApproval: 'Status: waiting for approval. "kennel approvals list" shows what it asks.',
  waitsForRun:
    'Status: waiting for the run {run} of {name}. "kennel puppy show {run}" shows what that waits for; the task goes on when it has ended.',
} as const;
