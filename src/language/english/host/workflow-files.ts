export const workflowFiles = {
  conditionTooLong: 'A condition may have at most {n} characters.',
  pipelineUnreadable: 'The pipeline cannot be read.',
  pipelineNotWorkflow: 'A pipeline is not a workflow.',
  workflowUnreadable: 'The workflow cannot be read.',
} as const;
