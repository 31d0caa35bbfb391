import { printDuration } from '../duration.ts';
import { durationMs } from '../read-gate.ts';
import { printTemplate } from '../template.ts';
import type { StepKindRules } from './step-kind.ts';

export const sleepKind: StepKindRules<'sleep'> = {
  keys: ['sleep'],
  takes: [],
  effectOf: () => 'pure',
  read({ reader }, { sleep: value }) {
    if (value === undefined) return null;
    const until =
      typeof value === 'object'
        ? ({ kind: 'time', at: reader.template(value.until) } as const)
        : ({ kind: 'for', ms: durationMs(value) ?? 1 } as const);
    return { kind: 'sleep', until, approval: null };
  },
  write: ({ until }) => ({
    sleep: until.kind === 'for' ? printDuration(until.ms) : { until: printTemplate(until.at) },
  }),
  collect({ until }, to) {
    if (until.kind === 'time') to.text('sleep', until.at);
  },
  summarize: ({ until }) => (until.kind === 'for' ? printDuration(until.ms) : printTemplate(until.at)),
};
