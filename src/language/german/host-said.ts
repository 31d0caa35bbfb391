import type { HostSentences } from '../host-sentences.ts';
import { consentSentences, spendingSentences } from './host/consent.ts';
import { activitySentences, doingSentences } from './host/doings.ts';
import { houseSentences } from './host/house.ts';
import { modelSentences } from './host/models.ts';
import { movingSentences } from './host/moving.ts';
import { peopleSentences } from './host/people.ts';
import { pipelineSentences } from './host/pipelines.ts';
import { scheduleSentences } from './host/schedules.ts';
import { serverSentences } from './host/server.ts';
import { taskSentences } from './host/tasks.ts';
import { whySentences } from './host/why.ts';
import { workflowFileSentences } from './host/workflow-files.ts';
import { workflowSentences } from './host/workflows.ts';

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
