import { t } from '../../language/texts.ts';
import { visibleLine } from '../format/visible-text.ts';
import { ChoiceField, Field } from '../parts/field.tsx';
import { useAgentNames } from '../work/turn-filter.tsx';
import type { WantedTasks } from './board-state.ts';
import { useProjects } from './use-tasks.ts';

interface FilterOf {
  readonly wanted: WantedTasks;
  onChange(part: Partial<WantedTasks>): void;
}

export function TaskFilter({ wanted, onChange }: FilterOf) {
  const agents = useAgentNames();
  const projects = useProjects();
  const named =
    projects.includes(wanted.project) || wanted.project === '' ? projects : [wanted.project, ...projects];
  return (
    <>
      <Field
        label={t('tasks.find')}
        type="search"
        maxLength={200}
        placeholder={t('tasks.findHint')}
        value={wanted.text}
        onChange={(event) => onChange({ text: event.target.value })}
      />
      <ChoiceField
        label={t('tasks.agent')}
        value={wanted.agent}
        options={[['', t('tasks.allAgents')], ...agents]}
        onChange={(agent) => onChange({ agent })}
      />
      {named.length > 0 && (
        <ChoiceField
          label={t('tasks.project')}
          value={wanted.project}
          options={[['', t('tasks.allProjects')], ...named.map((name) => [name, visibleLine(name)] as const)]}
          onChange={(project) => onChange({ project })}
        />
      )}
    </>
  );
}
