import type { HostPart } from '../../host-part.ts';

export const workflowFiles: HostPart<'workflowFiles'> = {
  conditionMostCharacters: 'Eine Bedingung darf höchstens {n} Zeichen haben.',
  pipelineCannotRead: 'Die Pipeline lässt sich nicht lesen.',
  pipelineNoWorkflow: 'Eine Pipeline ist kein Ablauf.',
  workflowCannotRead: 'Der Ablauf lässt sich nicht lesen.',
};
