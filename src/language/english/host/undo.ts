export const undo = {
  cancelledBeforeStart: 'The call was cancelled before it began.',
  changedSinceShown: 'The files changed since you looked. Nothing was restored.',
  contentNotStored: 'The earlier content of this file is no longer stored.',
  runUndoList: '"kennel undo list" shows what can be undone.',
  lookAgain: 'Look at the changes again, then decide.',
  unknownPoint: 'There is no restore point "{point}".',
  nothingToRestore: 'No file can be restored. Nothing was changed.',
  severalPoints: 'Several restore points begin with "{point}".',
  callStillRuns: 'The call is still running. Undo it after it has ended.',
  undoneAlready: 'These changes have been undone already.',
  revertFile: 'undo {name}',
  revertFiles: 'undo {n} files',
} as const;
