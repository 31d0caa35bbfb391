export const worktrees = {
  cancelFirst: 'Wait for its end, or cancel the task.',
  changedSince: 'The files of task {id} changed since the differences were shown. Nothing was merged.',
  conflicts: 'Both sides changed {files}. Nothing was merged.',
  gitEnded: 'Git took too long and was stopped.',
  gitRefused: 'Git refused "{command}": {why}',
  inTheWay: 'Something else is at {path}, so no worktree can be made there.',
  isRemoved: 'The worktree of task {id} is being removed. Try again in a moment.',
  mergeProgram:
    'The settings of the repository {folder} name a program that merges files. Git was not started.',
  missing: 'The worktree {path} is gone. Its branch is kept until you discard it.',
  noBranch: 'No branch is checked out in {folder}. Nothing was merged.',
  noCommit: 'The repository {folder} has no commit yet, so a task cannot work on a branch of it.',
  noGit: 'Git is not installed.',
  none: 'Task {id} has no open worktree.',
  notTop:
    'The workspace {folder} is a part of the repository {top}. A worktree needs the whole repository as workspace.',
  repositoryInside:
    'The folder {name} is a repository of its own, and git would not keep its files. Remove its .git folder first.',
  repositoryRefused: 'No worktree is possible in {folder}: {why}',
  solveConflicts:
    'Commit in the workspace what is needed, or merge the branch yourself with git. Then discard the worktree.',
  taskRuns: 'Task {id} has not ended. Nothing was changed.',
  unclean: 'The workspace {folder} has changes that are not committed: {files}. Nothing was merged.',
  unfinished: 'A merge or rebase is in progress in {folder}. Nothing was merged.',
} as const;
