export const contacts = {
  invalidHandle: '"{name}" is not a valid handle.',
  unknownContact: 'No person called {name} has written to your agents. Nothing was changed.',
  chooseServer: 'Choose one with --server.',
  giveServer: 'Name the server with --server.',
  ambiguousContact: 'More than one server has a person called {name}. Nothing was changed.',
  wantsToAnswer: 'wants to answer {who}, who writes for the first time',
  whyAsked:
    'It asks because you do not know this person yet. Allow accepts the person for all of your agents, deny blocks the person.',
  acceptPerson: 'accept this person for all of your agents',
  questionFailed: 'The question about {slug} could not be asked: {reason}',
  answerNotRecorded: 'Your answer about {slug} could not be recorded: {reason}',
  personStillWaits: 'The person still waits. Kennel tries again automatically.',
  senderLimitReached: '{slug} has used up the {limit} messages of one person that {name} answers in an hour.',
  otherSendersLimited:
    'Other people have used up the {limit} messages of one person that {name} answers in an hour; this list does not name them.',
  blockSender:
    'It continues automatically. "kennel contacts block {slug}" ends it. Settings, Usage and budget, changes the limit.',
  senderLimitSetting: 'It continues automatically. Settings, Usage and budget, changes the limit.',
} as const;
