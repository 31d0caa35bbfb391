/** Shared components: dialogs, forms, toasts. */
export const parts = {
  close: 'Close',
  cancel: 'Cancel',
  save: 'Save',
  saving: 'Saving…',
  discard: 'Discard changes',
  openScreen: 'Open {screen}',
  unsaved: 'Unsaved changes',
  passphraseTitle: 'Choose a passphrase',
  passphraseWhy:
    'This computer has no keychain for your secrets. A passphrase encrypts them; Kennel asks for it at every start.',
  keepWriting: 'Keep editing',
  linesChanged:
    '{added, plural, one {# line} other {# lines}} added, {removed, plural, one {# line} other {# lines}} removed.',
  linesSame: '{count, plural, one {# line} other {# lines}} unchanged',
  changedLines: 'Changed lines',
  addedLine: 'added: ',
  removedLine: 'removed: ',
  unseen: 'Invisible character',
  messages: 'Messages from Kennel',
  explanation: 'Explanation',
  dismiss: 'Dismiss',
  opening: 'Opening…',
  missing: 'This part of Kennel could not be loaded.',
  missingHint: 'Kennel may have been updated since you opened this page. Reload to continue.',
  loadAgain: 'Reload',
  since: 'since {time}',
} as const;
