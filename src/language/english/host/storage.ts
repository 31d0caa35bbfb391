export const storage = {
  alreadySomethingName: 'There is already something of that name.',
  checkOwnerPermissionsSet: 'Check its owner and permissions, or set KENNEL_HOME to another folder.',
  chooseAnotherStateFolder: 'Choose another state folder, or move this file away.',
  dataFolderCannotWritten: 'The data folder cannot be written ({code}). Nothing was changed.',
  dataFolderUse: 'This data folder is in use by {who}. Nothing was changed. ({home})',
  decidedBeforeAnotherProgram: 'This was decided before, or by another program.',
  diskFull: 'The disk is full: the host could not start. Free some space.',
  fileBytes: 'The file has {size} bytes; at most {maxBytes} are read. It was left alone.',
  fileNotUtf8: 'The file is not UTF-8 text. It was left alone.',
  historyRunDamaged: 'The history of this run is damaged. It was kept, and nothing goes on.',
  noJournalReadWithout:
    'This is no journal that can be read without a key: it is encrypted, or damaged. It was left as it is.',
  pauseTaskFirst: 'Task {id} is {status}: pause it before you change it.',
  restoreBackupMoveAway: 'Restore it from a backup, or move it away to start afresh.',
  useKennelStatusTalk: 'Use `kennel status` to talk to it, or `kennel stop` to end it.',
} as const;
