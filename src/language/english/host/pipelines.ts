export const pipelines = {
  answerBreaksSchemaQuestion: 'The answer breaks the schema of the question: {where} {why}.',
  notApproved: 'It was not approved.',
  pipelineCancelled: 'The pipeline was cancelled.',
} as const;
