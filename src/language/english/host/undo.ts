export const undo = {
  cancelledBeforeStart: 'The call was cancelled before it began.',
  changedSinceShown: 'The files changed since you looked. Nothing was restored.',
  contentNotStored: 'The earlier content of this file is not stored any more.',
  runUndoList: '"kennel undo list" shows what can be undone.',
  lookAgain: 'Look at the changes again, then decide.',
  unknownPoint: 'There is no restore point "{point}".',
  nothingToRestore: 'No file can be restored. Nothing was changed.',
  severalPoints: 'Several restore points begin with "{point}".',
  callStillRuns: 'The call still runs. Undo it once it has ended.',
  undoneAlready: 'These changes are undone already.',
} as const;
