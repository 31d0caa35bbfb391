export const pipelines = {
  answerBreaksSchema: 'The answer breaks the schema of the question: {where} {why}.',
  notApproved: 'It was not approved.',
  pipelineCancelled: 'The pipeline was cancelled.',
  puppyOutputTooLarge: 'puppy output exceeded maxStdoutBytes ({n}). The pipeline was stopped.',
} as const;
