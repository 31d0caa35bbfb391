/** Titles of a tool call while it runs and after its end: "writing hello.md", "wrote hello.md". */

const verbs: Readonly<Record<string, readonly [running: string, done: string]>> = {
  write: ['writing', 'wrote'],
  overwrite: ['overwriting', 'overwrote'],
  create: ['creating', 'created'],
  edit: ['editing', 'edited'],
  change: ['changing', 'changed'],
  read: ['reading', 'read'],
  list: ['listing', 'listed'],
  look: ['looking', 'looked'],
  search: ['searching', 'searched'],
  find: ['finding', 'found'],
  run: ['running', 'ran'],
  send: ['sending', 'sent'],
  post: ['posting', 'posted'],
  note: ['noting', 'noted'],
  add: ['adding', 'added'],
  append: ['appending', 'appended'],
  remember: ['remembering', 'remembered'],
  forget: ['forgetting', 'forgot'],
  delete: ['deleting', 'deleted'],
  remove: ['removing', 'removed'],
  move: ['moving', 'moved'],
  copy: ['copying', 'copied'],
  make: ['making', 'made'],
  show: ['showing', 'showed'],
  ask: ['asking', 'asked'],
  use: ['using', 'used'],
};

export type StepPhase = 'running' | 'done' | 'not_done';

/** `title` starts with a verb, like a preview: "write hello.md". Unknown verbs stay unchanged. */
export function stepTitle(title: string, phase: StepPhase): string {
  const [first = '', ...rest] = title.split(' ');
  const forms = Object.hasOwn(verbs, first.toLowerCase()) ? verbs[first.toLowerCase()] : undefined;
  const behind = rest.join(' ');
  if (!forms) return title;
  if (phase === 'not_done') return `did not ${first} ${behind}`.trim();
  return `${phase === 'running' ? forms[0] : forms[1]} ${behind}`.trim();
}

const mainArguments = ['path', 'cmd', 'command', 'channel', 'name', 'query', 'pattern'] as const;

/** Title without a preview: the tool name and its main argument. */
export function plainTitle(tool: string, args: Readonly<Record<string, unknown>>): string {
  const about = mainArguments.map((name) => args[name]).find((value) => typeof value === 'string');
  return typeof about === 'string' ? `use ${tool} on ${about.slice(0, 120)}` : `use ${tool}`;
}
