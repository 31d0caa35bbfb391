/** Text of a new workflow: one harmless step and one gate. */
import { t } from '../../language/texts.ts';

const endings = /\.(puppy|ya?ml|json)$/i;

export const withEnding = (name: string): string =>
  name === '' || endings.test(name) ? name : `${name}.puppy`;

/** Relative name without special characters, valid on every platform. */
export const isNewName = (file: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{N} ._-]*(\/[\p{L}\p{N}][\p{L}\p{N} ._-]*)*$/u.test(file) && !file.includes('..');

const greeting = `echo "Hello \${who}"`;
const ending = 'echo "approved by $ask.approvedBy"';

/** One line of YAML; without a value, the next lines hold the nested value. */
const at = (depth: number, key: string, value = ''): string =>
  `${'  '.repeat(depth)}${key}:${value === '' ? '' : ` ${value}`}`;
const step = (id: string): string => at(1, '- id', id);

export function newWorkflow(file: string): string {
  const name = file.split('/').at(-1)?.replace(endings, '') ?? file;
  const [about, prompt] = [t('workflows.newAbout'), t('workflows.newPrompt')];
  if (/\.json$/i.test(file)) return newJson(name, about, prompt);
  return [
    at(0, 'name', JSON.stringify(name)),
    at(0, 'description', JSON.stringify(about)),
    at(0, 'args'),
    at(1, 'who'),
    at(2, 'type', 'string'),
    at(2, 'default', 'world'),
    at(0, 'steps'),
    step('greet'),
    at(2, 'run', greeting),
    step('ask'),
    at(2, 'approval'),
    at(3, 'prompt', JSON.stringify(prompt)),
    at(3, 'preview', '$greet.stdout'),
    step('done'),
    at(2, 'run', ending),
    '',
  ].join('\n');
}

function newJson(name: string, description: string, prompt: string): string {
  const steps = [
    { id: 'greet', run: greeting },
    { id: 'ask', approval: { prompt, preview: '$greet.stdout' } },
    { id: 'done', run: ending },
  ];
  const args = { who: { type: 'string', default: 'world' } };
  return `${JSON.stringify({ name, description, args, steps }, null, 2)}\n`;
}
