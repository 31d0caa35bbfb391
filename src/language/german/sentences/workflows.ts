import type { HostSentences } from '../../host-sentences.ts';

/** Gates of workflow runs, and why an answer was rejected. */
export const workflowSentences: HostSentences = {
  "Step '{step}' was interrupted. Perhaps it did its work, perhaps not. Was it done (attempt {n})?":
    'Schritt „{step}“ wurde unterbrochen. Vielleicht hat er seine Arbeit getan, vielleicht nicht. Ist sie getan (Versuch {n})?',
};
