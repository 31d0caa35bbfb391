/** Shared components: dialogs, forms, toasts. */
export const parts = {
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  saving: 'Saving…',
  keepWriting: 'Keep writing',
  linesChanged:
    '{added, plural, one {# line} other {# lines}} added, {removed, plural, one {# line} other {# lines}} removed.',
  linesSame: '{count, plural, one {# line} other {# lines}} without change',
  changedLines: 'Changed lines',
  addedLine: 'added: ',
  removedLine: 'removed: ',
  unseen: 'A character that cannot be seen',
  messages: 'Messages from Kennel',
  explanation: 'Explanation',
  dismiss: 'Dismiss',
  opening: 'Opening…',
  missing: 'This part of Kennel could not be loaded.',
  missingHint:
    'Kennel may have been updated since this page was opened. Load the page again to go on with the new one.',
  loadAgain: 'Load again',
  since: 'since {time}',
} as const;
