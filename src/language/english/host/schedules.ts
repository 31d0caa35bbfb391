export const schedules = {
  chooseAnotherNameChange: 'Choose another name, or change that one.',
  kennelNotStartedEverything: 'Kennel has not started everything yet.',
  nameFileFolderWhole: 'Name the file or folder by its whole path.',
  nameWorkflowFileWhole: 'Name the workflow file by its whole path.',
  neverDue: 'This is never due: there is no such day.',
  noTimeZone: 'There is no time zone "{name}".',
  removeSomeNoLonger: 'Remove some that are no longer needed.',
  scheduleAlready: 'There is a schedule "{name}" already.',
  schedulesAlready: 'There are {n} schedules already.',
  useNameLikeEurope: 'Use a name like "Europe/Berlin" or "UTC".',
} as const;
