import { printTemplate } from '../template.ts';
import { type StepKindRules, timedFields } from './step-kind.ts';

export const runKind: StepKindRules<'run'> = {
  keys: ['run', 'command'],
  takes: ['stdin', 'cwd', 'env', ...timedFields, 'idempotency_key'],
  effectOf: () => 'once',
  read: ({ reader }, { run, command }) => ({
    kind: 'run',
    shell: reader.template(run ?? command ?? ''),
    approval: null,
  }),
  write: ({ shell }) => ({ run: printTemplate(shell) }),
  collect: ({ shell }, to) => to.text('run', shell, 'shell'),
  summarize: ({ shell }) => printTemplate(shell),
};
