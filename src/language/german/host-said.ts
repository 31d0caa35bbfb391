import type { HostSentences } from '../host-sentences.ts';
import { consentSentences, spendingSentences } from './sentences/consent.ts';
import { activitySentences, doingSentences } from './sentences/doings.ts';
import { houseSentences } from './sentences/house.ts';
import { modelSentences } from './sentences/models.ts';
import { movingSentences } from './sentences/moving.ts';
import { peopleSentences } from './sentences/people.ts';
import { pipelineSentences } from './sentences/pipelines.ts';
import { scheduleSentences } from './sentences/schedules.ts';
import { serverSentences } from './sentences/server.ts';
import { taskSentences } from './sentences/tasks.ts';
import { whySentences } from './sentences/why.ts';
import { workflowFileSentences } from './sentences/workflow-files.ts';
import { workflowSentences } from './sentences/workflows.ts';

/** German texts of the host's sentences, keyed by the English sentence. */
export const germanOfHost: HostSentences = {
  ...activitySentences,
  ...consentSentences,
  ...doingSentences,
  ...houseSentences,
  ...modelSentences,
  ...movingSentences,
  ...peopleSentences,
  ...pipelineSentences,
  ...scheduleSentences,
  ...serverSentences,
  ...spendingSentences,
  ...taskSentences,
  ...whySentences,
  ...workflowFileSentences,
  ...workflowSentences,
};
