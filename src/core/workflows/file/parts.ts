/** Names the part of a workflow file that a finding concerns. */
import type { HostMessage, HostText } from '../../../language/host-message.ts';
import { say } from '../../../language/say.ts';

export const stepPart = (step: string): HostMessage => say('workflowFiles.partStep', { step });

export const fieldPart = (part: HostMessage, field: string): HostMessage =>
  say('workflowFiles.partField', { part, field });

export const inPart = (part: HostMessage, what: HostText): HostMessage =>
  say('workflowFiles.inPart', { part, what });

export const inStep = (step: string, what: HostText): HostMessage => inPart(stepPart(step), what);

/** `stage` counts from 1. */
export const inStage = (stage: number, what: HostText): HostMessage =>
  inPart(say('workflowFiles.partStage', { n: stage }), what);
