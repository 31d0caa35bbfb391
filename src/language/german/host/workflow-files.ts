import type { HostPart } from '../../host-part.ts';

export const workflowFiles: HostPart<'workflowFiles'> = {
  conditionTooLong: 'Eine Bedingung darf höchstens {n} Zeichen haben.',
  pipelineUnreadable: 'Die Pipeline lässt sich nicht lesen.',
  pipelineNotWorkflow: 'Eine Pipeline ist kein Ablauf.',
  workflowUnreadable: 'Der Ablauf lässt sich nicht lesen.',
};
