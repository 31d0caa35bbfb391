/** Descriptions of examples that several commands have. */
export const sharedExamples = {
  themAsJson: 'Print them as JSON',
  itAsJson: 'Print it as JSON',
  resultAsJson: 'Print the result as JSON',
  agentAsJson: 'Print the agent as JSON',
  taskAsJson: 'Print the task as JSON',
  findMessage: 'Find the id of a message',
  findConversation: 'Find the ids of the conversations',
  findId: 'Find its id',
} as const;
