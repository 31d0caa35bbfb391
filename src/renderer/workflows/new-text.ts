/** Text of a new workflow: one harmless step and one gate. */
import { t } from '../../language/texts.ts';

const endings = /\.(puppy|ya?ml|json)$/i;

export const withEnding = (name: string): string =>
  name === '' || endings.test(name) ? name : `${name}.puppy`;

/** Relative name without special characters, valid on every platform. */
export const isNewName = (file: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{N} ._-]*(\/[\p{L}\p{N}][\p{L}\p{N} ._-]*)*$/u.test(file) && !file.includes('..');

/** The name, or with a number that no other file has. */
export function freeName(name: string, taken: readonly string[]): string {
  const [ending = ''] = endings.exec(name) ?? [];
  const base = name.slice(0, name.length - ending.length);
  let free = name;
  for (let n = 2; taken.includes(free); n += 1) free = `${base}-${n}${ending}`;
  return free;
}

const greeting = `echo "Hello \${who}"`;
const ending = 'echo "approved by $ask.approvedBy"';

/** One line of YAML; without a value, the next lines hold the nested value. */
export const yamlLine = (depth: number, key: string, value = ''): string =>
  `${'  '.repeat(depth)}${key}:${value === '' ? '' : ` ${value}`}`;
const step = (id: string): string => yamlLine(1, '- id', id);

export function newWorkflow(file: string): string {
  const name = file.split('/').at(-1)?.replace(endings, '') ?? file;
  const [about, prompt] = [t('workflows.newAbout'), t('workflows.newPrompt')];
  if (/\.json$/i.test(file)) return newJson(name, about, prompt);
  return [
    yamlLine(0, 'name', JSON.stringify(name)),
    yamlLine(0, 'description', JSON.stringify(about)),
    yamlLine(0, 'args'),
    yamlLine(1, 'who'),
    yamlLine(2, 'type', 'string'),
    yamlLine(2, 'default', 'world'),
    yamlLine(0, 'steps'),
    step('greet'),
    yamlLine(2, 'run', greeting),
    step('ask'),
    yamlLine(2, 'approval'),
    yamlLine(3, 'prompt', JSON.stringify(prompt)),
    yamlLine(3, 'preview', '$greet.stdout'),
    step('done'),
    yamlLine(2, 'run', ending),
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
