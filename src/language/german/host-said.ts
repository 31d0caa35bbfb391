import { hostEnglish } from '../english/host.ts';
import type { HostCatalog } from '../host-part.ts';
import type { HostSentences } from '../host-sentences.ts';
import { hostGerman } from './host.ts';
import { modelSentences } from './sentences/models.ts';
import { serverSentences } from './sentences/server.ts';
import { taskSentences } from './sentences/tasks.ts';
import { whySentences } from './sentences/why.ts';
import { workflowSentences } from './sentences/workflows.ts';

export const germanCatalog: HostCatalog = hostGerman;

/** Slots whose value is a sentence of its own. */
const nested = /\{(action|what|why|reason|side|span|until|limit|figures|whose)\}/g;

const fixedLength = (template: string): number => template.replace(/\{[^{}]*\}|[^\p{L}]/gu, '').length;

/** A short template, or one that starts with a slot, matches much: its nested sentence must be known. */
const toPattern = (template: string): string =>
  template
    .replace(/^\{(\w+)\}(?= \p{Lu})/u, '{=$1}')
    .replace(nested, fixedLength(template) < 12 ? '{=$1}' : '{~$1}');

/** Texts of the catalogs, for views that hold them as plain English. */
export const catalogSentences: HostSentences = Object.fromEntries(
  Object.entries(hostEnglish).flatMap(([area, texts]) => {
    const german: Readonly<Record<string, string>> = hostGerman[area as keyof typeof hostEnglish];
    return Object.entries<string>(texts)
      .filter(([, text]) => fixedLength(text) > 2 && !/\{\w+[,|]/.test(text))
      .map(([key, text]) => [toPattern(text), german[key] ?? text] as const);
  }),
);

/** German texts of the host's sentences, keyed by the English sentence. */
export const germanOfHost: HostSentences = {
  ...catalogSentences,
  ...modelSentences,
  ...serverSentences,
  ...taskSentences,
  ...whySentences,
  ...workflowSentences,
};
