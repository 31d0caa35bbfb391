export const workflowFiles = {
  conditionMostCharacters: 'A condition may have at most {n} characters.',
  pipelineCannotRead: 'The pipeline cannot be read.',
  pipelineNoWorkflow: 'A pipeline is no workflow.',
  workflowCannotRead: 'The workflow cannot be read.',
} as const;
